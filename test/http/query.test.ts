import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { query } from '../../src/http/query.ts'
import { choice, integer } from '../../src/http/schemas.ts'

const Parameters = Type.Object({
  page: Type.Optional(integer()),
  offset: Type.Optional(integer({ minimum: -840, maximum: 840 })),
  minDistanceM: Type.Optional(Type.Number()),
  includeRaw: Type.Optional(Type.Boolean()),
  keyword: Type.Optional(Type.String()),
  unit: Type.Optional(choice('metric', 'imperial')),
})

function read(text: string): unknown {
  const options = query(Parameters)
  const context = { request: new Request(`http://localhost/x${text}`), query: undefined as unknown }
  options.transform(context)
  try {
    return options.query['~standard'].validate(context.query).value
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

describe('a query', () => {
  test.each([
    ['', {}],
    ['?', {}],
    [
      '?page=3&offset=-300&minDistanceM=1e3&includeRaw=FALSE',
      { page: 3, offset: -300, minDistanceM: 1000, includeRaw: false },
    ],
    ['?offset=+60', { offset: 60 }],
    ['?keyword=5,5%20km+%26+%7Bx%7D', { keyword: '5,5 km & {x}' }],
    ['?keyword=[1,2]', { keyword: '[1,2]' }],
    ['?keyword=', { keyword: '' }],
    ['?other=1&other=2&Page=x', {}],
    ['?unit=imperial', { unit: 'imperial' }],
  ])('%s is read', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each([
    ['?page=1&page=2', 'page must not be repeated'],
    ['?page=1.5', 'page must be an integer'],
    ['?page=0x10', 'page must be an integer'],
    ['?page=99999999999999999999', 'page must be an integer'],
    ['?offset=841', 'offset must be an integer from -840 to 840'],
    ['?minDistanceM=NaN', 'minDistanceM must be a number'],
    ['?minDistanceM=1e999', 'minDistanceM must be a number'],
    ['?includeRaw=yes', 'includeRaw must be true or false'],
    ['?unit=Metric', 'unit must be one of metric, imperial'],
    ['?keyword=%zz&keyword=a', 'keyword must not be repeated'],
  ])('%s is refused', (text, expected) => {
    expect(read(text)).toBe(expected)
  })
})
