import { createHmac } from 'node:crypto'
import { asc } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { places } from '../db/schema-ground.ts'
import { displaced, END_SECRETS, type HiddenCircle, type Secrets, type Trimming } from '../engine/route/trim.ts'
import type { Deps } from './deps.ts'
import type { PlaceDocument } from './documents/rows.ts'
import { trimEndsM } from './settings.ts'

export const MOST_PLACES = 300
/** Metres that may be hidden about a place. */
export const HIDE_M = [100, 2000] as const

/** All named places, in the order in which they were named. */
export function storedPlaces(tx: Tx): PlaceDocument[] {
  return tx.select().from(places).orderBy(asc(places.createdAt), asc(places.id)).all()
}

/** Metres that may be cut from either end of every run. */
export const TRIM_ENDS_M = [0, 1600] as const
/** Cuts of a run that differ; more of them begin again with the first. */
const CUT_SECRETS = 8

type Secret = Pick<Deps, 'jwtSecret'>

/** What is cut from a run, by its id, before others see it (docs/ways.md K.3); null: nothing is hidden. */
export function trimming(tx: Tx, secret: Secret): ((runId: string) => Trimming) | null {
  const circles = storedPlaces(tx).flatMap((place) => hiddenCircle(place, secret) ?? [])
  const endsM = trimEndsM(tx)
  if (circles.length === 0 && endsM === 0) return null
  const endSecrets = endsM === 0 ? [] : secrets(secret, `ends ${endsM}`, END_SECRETS)
  return (runId) => ({ circles, endsM, endSecrets, cutSecrets: secrets(secret, `run ${runId}`, CUT_SECRETS) })
}

/** The circle that hides a place, the same for every run; null: it is not hidden. */
export function hiddenCircle(
  { id, lat, lon, hideM }: Pick<PlaceDocument, 'id' | 'lat' | 'lon' | 'hideM'>,
  secret: Secret,
): HiddenCircle | null {
  if (hideM === null) return null
  const spot = displaced({ lat, lon }, hideM, secrets(secret, `place ${id} ${hideM}`, 2))
  return { ...spot, radiusM: hideM, beyondM: hideM / 2 }
}

/**
 * Leaves out texts for others that contain the name of a hidden place, in any spelling: with other accents, case, blanks
 * or dashes.
 */
export function shownName(tx: Tx): (text: string | null) => string | null {
  const hidden = storedPlaces(tx).flatMap(({ name, hideM }) => (hideM === null ? [] : name))
  const letters = (text: string) =>
    text
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
  const secret = hidden.map((place) => ({ place, plain: letters(place) }))
  return (name) => {
    if (name === null) return null
    const plain = letters(name)
    // a place may be called by signs alone
    const tells = secret.some((one) => (one.plain === '' ? name.includes(one.place) : plain.includes(one.plain)))
    return tells ? null : name
  }
}

/** Numbers in 0..1 that follow from the service's secret and a text, the same after a restart. */
function secrets({ jwtSecret }: Secret, about: string, count: number): Secrets {
  return Array.from({ length: count }, (_, k) => {
    const hash = createHmac('sha256', jwtSecret).update(`harrier privacy ${about} ${k}`).digest()
    return hash.readUInt32BE() / 2 ** 32
  })
}
