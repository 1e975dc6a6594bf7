import { customType } from 'drizzle-orm/sqlite-core'
import { decodePreview, encodePreview } from '../engine/route/preview-code.ts'

/** [lon, lat] points: engine/route/preview-code.ts, or JSON where that cannot hold them. */
export const previewPoints = customType<{ data: number[][]; driverData: Uint8Array | string }>({
  dataType: () => 'any',
  toDriver: (points) => encodePreview(points) ?? JSON.stringify(points),
  fromDriver: (stored) => (typeof stored === 'string' ? JSON.parse(stored) : decodePreview(stored)),
})
