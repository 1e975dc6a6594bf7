// What the document does not allow is refused by the service, for every member of every body and query, before it is
// asked whether the thing exists, and changes nothing.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { testApp } from '../app.ts'
import { type Document, departures, type Operation, operationsOf, type Schema } from './document.ts'

// a busy machine is no fault
setDefaultTimeout(180_000)

const NOBODY = '0198a000-0000-7000-8000-00000000dead'
const ODD = [null, 7, 1.5, -1e9, 1e12, 'AAA', '', ' ', '2025-02-30', 'x'.repeat(20_000), true, [], {}, [[7]], ['AAA']]
/** Just beyond each bound of a schema. */
function beside(schema: Schema): unknown[] {
  const {
    minimum,
    exclusiveMinimum,
    maximum,
    minLength = 0,
    maxLength,
    minItems = 0,
    maxItems,
    anyOf = [],
    items,
  } = schema
  const numbers = [(minimum ?? Number.NaN) - 1, exclusiveMinimum ?? Number.NaN, (maximum ?? Number.NaN) + 1]
  return [
    ...numbers.filter((edge) => Math.abs(edge) < Number.MAX_SAFE_INTEGER),
    ...(minLength < 2 ? [] : ['xyz'.repeat(minLength).slice(0, minLength - 1)]),
    // longer bodies are not read at all
    ...(maxLength === undefined || maxLength > 500_000 ? [] : ['xyz'.repeat(maxLength).slice(0, maxLength + 1)]),
    ...(minItems < 1 ? [] : [Array(minItems - 1).fill(1)]),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill(1)]),
    ...anyOf.flatMap(beside),
    ...(items === undefined ? [] : beside(items).map((odd) => [odd])),
  ]
}

/** Filters of a list name choices for generated clients, but take any text (docs/api.md 7.6). */
const ANY_WORD = ['runType', 'sortBy', 'sortOrder']

/** Texts without a rule; what `loads` has to be depends on `plan`. */
const ANY_TEXT = ['keyword', 'search', 'device', 'shoeId', 'name', 'loads']

type Json = Readonly<Record<string, unknown>>

/** A value that a schema allows, with every member. */
function allowed({ anyOf, enum: [word] = [], properties, items, format, type, ...schema }: Schema): unknown {
  const { minimum = 1, exclusiveMinimum = 0, minItems = 1, minLength = 1 } = schema
  if (schema.const !== undefined || word !== undefined) return schema.const ?? word
  if (anyOf !== undefined) return allowed(anyOf.find((part) => part.type !== 'null') ?? {})
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, allowed(part)]))
  if (items !== undefined) return Array.from({ length: Math.max(1, minItems) }, () => allowed(items))
  const [own] = [type].flat()
  if (own === 'string') {
    const texts: Readonly<Record<string, string>> = {
      uuid: NOBODY,
      date: '2025-03-02',
      'date-time': '2025-03-02T07:00:00Z',
    }
    return texts[format ?? ''] ?? 'x'.repeat(Math.max(1, minLength))
  }
  if (own === 'boolean') return true
  return own === 'object' ? {} : Math.max(minimum, exclusiveMinimum + 1)
}

/** A body with one member at a time replaced by something odd, or left out, at every depth of objects. */
function* departing(body: Json, { properties = {} }: Schema, within = ''): Generator<Json> {
  for (const [key, schema] of Object.entries(properties)) {
    if (within === 'filter' && ANY_WORD.includes(key)) continue
    for (const odd of [...ODD, ...beside(schema)]) yield { ...body, [key]: odd }
    const { [key]: inner, ...others } = body
    yield others
    const [whole = schema] = schema.anyOf ?? []
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
      for (const odd of departing(inner as Json, whole, key)) yield { ...body, [key]: odd }
    const [first, ...more] = Array.isArray(inner) ? inner : []
    if (typeof first === 'object' && first !== null) {
      for (const odd of departing(first, whole.items ?? {})) yield { ...body, [key]: [odd, ...more] }
      yield { ...body, [key]: Array(501).fill(first) }
    }
  }
}

/** Texts that the schema of a parameter does not allow, read as a client of the document would write them. */
function oddTexts(document: Document, schema: Schema): string[] {
  const one = schema.items ?? schema
  const texts = [...ODD, ...beside(one)].flatMap((odd) => (typeof odd === 'object' ? [] : [String(odd)]))
  const read = (text: string) => (/integer|number|boolean/.test(String(one.type)) ? parsed(text) : text)
  return texts.filter((text) => departures(document, one, read(text)) !== null)
}

/** A text that the schema of a parameter allows. */
function fineText({ enum: [word] = [], minimum = 1 }: Schema): string {
  return String(word ?? minimum)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface Asked {
  readonly query: Readonly<Record<string, string>>
  readonly json?: unknown
  /** The query parameter at fault. */
  readonly field?: string
}

/** What each operation is sent that its document does not allow. */
function* requests(document: Document, operation: Operation): Generator<Asked> {
  const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const needed = queries.filter(({ required }) => required)
  for (const { name: field, schema } of queries) {
    if (ANY_WORD.includes(field)) continue
    const others = needed.filter(({ name }) => name !== field)
    const query = Object.fromEntries(others.map((one) => [one.name, fineText(one.schema)]))
    if (others.length < needed.length) yield { query, field }
    for (const text of oddTexts(document, schema)) yield { query: { ...query, [field]: text }, field }
  }
  const { schema } = operation.requestBody?.content['application/json'] ?? {}
  if (schema === undefined) return
  const whole = schema.anyOf?.[0] ?? schema
  for (const json of departing(allowed(whole) as Json, whole)) {
    if (departures(document, schema, json) !== null) yield { query: {}, json }
  }
}

test('what the document does not allow is 400, also of something that is not there', async () => {
  await using app = await testApp()
  const document: Document = await app.ok('GET', '/swagger/json')
  const [wrong, heard]: [unknown[], { event: string }[]] = [[], []]
  app.deps.events.subscribe((event) => heard.push(event))
  let sent = 0
  const refusing = new Set<string>()
  for (const [name, operation] of operationsOf(document)) {
    const [method = '', path = ''] = name.split(' ')
    const address = path
      .replaceAll(/\{(id|mediaId)\}/g, NOBODY)
      .replace('{distanceM}', '5000')
      .replace(/\{\w+\}/g, '1')
    for (const { query, json, field } of requests(document, operation)) {
      const asked = `${address}?${new URLSearchParams(query)}`
      const { status, json: refusal } = await app.call(method.toUpperCase(), asked, json === undefined ? {} : { json })
      sent += 1
      if (field !== undefined) refusing.add(`${name} ?${field}`)
      const isNamed = field === undefined || refusal?.field?.replace(/\[\d+\]$/, '') === field
      if (status !== 400 || !isNamed) wrong.push([name, JSON.stringify(json ?? query).slice(0, 200), status, refusal])
    }
  }
  expect(sent).toBeGreaterThan(2000)
  expect(wrong).toEqual([])
  const queries = operationsOf(document).flatMap(([name, { parameters = [] }]) =>
    parameters.filter((parameter) => parameter.in === 'query').map((parameter) => `${name} ?${parameter.name}`),
  )
  const lenient = queries.filter((query) => !refusing.has(query)).map((query) => query.split('?')[1]!)
  expect([...new Set(lenient)].toSorted()).toEqual([...ANY_WORD, ...ANY_TEXT].toSorted())
  // an import that is refused says so and leaves its receipt, and loads are computed when they are asked for
  expect(heard.filter(({ event }) => !/^(import|receipt|training)\./.test(event))).toEqual([])
})
