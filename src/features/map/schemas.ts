import { Type } from '@sinclair/typebox'

export const MapSettings = Type.Object(
  { tiles: Type.Boolean({ description: 'Maps show tiles; their server sees which area is looked at' }) },
  { examples: [{ tiles: true }] },
)
