import type { ElevationSource } from '../engine/track.ts'

// What Harrier's own TCX files state beside their schema, so that climb is the same when they are imported.

/** Namespace of the element `Seam` of a point at which another part of the run begins. */
export const SEAM_NAMESPACE = 'urn:harrier:seam'

/** Name of the program that wrote a file; null: nothing needs to be said of its altitude. */
export function creatorOf(source: ElevationSource): string | null {
  return { baro: 'Harrier with barometer', gps: 'Harrier with GPS altitude', unknown: null }[source]
}

/** Where altitude comes from by the name of the program or device; Strava names a barometer, too. */
export function elevationSourceOf(creator: string | null): ElevationSource {
  if (creator === null) return 'unknown'
  if (/barometer/i.test(creator)) return 'baro'
  return creator === creatorOf('gps') ? 'gps' : 'unknown'
}
