import { Type } from '@sinclair/typebox'
import { notFound } from '../../base/errors.ts'
import { isObject } from '../../base/json-object.ts'
import { SIDE, type Square } from '../../engine/ground/squares.ts'
import { integer } from '../../http/schemas.ts'
import { type Reader, reader } from '../../http/standard.ts'

const SquarePath = Type.Object({
  x: integer({ minimum: 0, maximum: SIDE - 1, description: 'Column of a tile of zoom 14' }),
  y: integer({ minimum: 0, maximum: SIDE - 1, description: 'Its row' }),
})

/** The route option `params` of a square; an address outside of the world is answered like an unknown one, 404. */
export function squarePath(): Reader<Square> {
  return reader(SquarePath, (params) => {
    const sent = isObject(params) ? params : {}
    const within = (text: unknown) => {
      const value = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : SIDE
      if (value >= SIDE) throw notFound('Tile')
      return value
    }
    return { x: within(sent.x), y: within(sent.y) }
  })
}
