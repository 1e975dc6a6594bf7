import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../../base/errors.ts'
import { isObject } from '../../base/json-object.ts'
import { integer } from '../../http/schemas.ts'
import { type Reader, reader } from '../../http/standard.ts'

/** The closest zoom level of OpenStreetMap's servers. */
const CLOSEST_ZOOM = 19

const TilePath = Type.Object({
  z: integer({ minimum: 0, maximum: CLOSEST_ZOOM, description: 'Zoom: the world is 2^z tiles wide and high' }),
  x: integer({ minimum: 0, description: 'Column from the west, below 2^z' }),
  y: integer({ minimum: 0, description: 'Row from the north, below 2^z' }),
})

/** Address of a tile, a square of the world in Web Mercator. */
export type TileAddress = Static<typeof TilePath>

/** The route option `params` of a tile; an address outside of the world is answered like an unknown one, 404. */
export function tilePath(): Reader<TileAddress> {
  return reader(TilePath, (params) => {
    const sent = isObject(params) ? params : {}
    const within = (name: 'z' | 'x' | 'y', most: number) => {
      const text = sent[name]
      const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
      if (!(value <= most)) throw new AppError('notFound', `No tile: ${name} must be an integer from 0 to ${most}`)
      return value
    }
    const z = within('z', CLOSEST_ZOOM)
    const last = 2 ** z - 1
    return { z, x: within('x', last), y: within('y', last) }
  })
}
