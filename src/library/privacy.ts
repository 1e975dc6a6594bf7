import { createHmac } from 'node:crypto'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Trimming } from '../engine/route/trim.ts'
import { storedPlaces } from './places.ts'
import { trimEndsM } from './settings.ts'

/** Metres that may be cut from either end of every run. */
export const TRIM_ENDS_M = [0, 1600] as const
/** A run that leaves a hidden place is cut for so many more metres at most. */
const MOST_BEYOND_M = 200

/** What is cut from runs before others see them (docs/ways.md K.2); null: nothing is hidden. */
export function trimming(tx: Tx, { jwtSecret }: Pick<Deps, 'jwtSecret'>): Trimming | null {
  const circles = storedPlaces(tx).flatMap(({ id, lat, lon, hideM }) =>
    hideM === null ? [] : [{ lat, lon, radiusM: hideM, beyondM: beyondM(id, jwtSecret) }],
  )
  const endsM = trimEndsM(tx)
  return circles.length === 0 && endsM === 0 ? null : { circles, endsM }
}

/** The same for every run, so that many of them do not draw the circle, and nobody else can compute it. */
function beyondM(placeId: string, secret: string): number {
  const hash = createHmac('sha256', secret).update(`harrier privacy ${placeId}`).digest()
  return (MOST_BEYOND_M * hash.readUInt32BE()) / 2 ** 32
}
