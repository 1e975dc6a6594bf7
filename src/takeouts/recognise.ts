import { FormatError } from '../formats/format.ts'
import type { TakeoutKind, TakeoutSource } from './kind.ts'
import { TAKEOUT_KINDS } from './kinds.ts'
import { REFUSED_KINDS } from './refused.ts'
import { expectReadable } from './source.ts'

/** What an upload is: an archive of Harrier or Tempo, a Strava export, or the export of another service. */
export type Recognised = 'archive' | 'strava' | TakeoutKind

const ARCHIVED = ['manifest.json', 'data/workouts.json'] as const

/**
 * Recognises an upload by its content.
 * @throws FormatError for an export that is known but not read; with problem `unknown`, listing the kinds, for any other
 */
export async function recognised(source: TakeoutSource): Promise<Recognised> {
  const { zip } = source
  // in the root, where a restore looks for them; archives and Strava exports have limits of their own
  if (zip !== null && ARCHIVED.every((name) => zip.find(name) !== null)) return 'archive'
  if (isStrava(source)) return 'strava'
  for (const { recognises, refusal } of REFUSED_KINDS) if (recognises(source)) throw new FormatError(refusal)
  expectReadable(source)
  for (const kind of TAKEOUT_KINDS) if (await kind.recognises(source)) return kind
  throw new FormatError(`This is not an export that Harrier can read: ${listedKinds()}`, { problem: 'unknown' })
}

/** `Garmin, Apple Health, …, a Strava export, an archive of Harrier or Tempo, or a ZIP of workout files` */
function listedKinds(): string {
  const services = TAKEOUT_KINDS.flatMap(({ origin, listed }) => (origin === 'zip' ? [] : [listed]))
  return [...services, 'Strava', 'an archive of Harrier or Tempo', 'or a ZIP of workout files'].join(', ')
}

/** Whether its table is in the root, or in the single folder of a repacked export. */
function isStrava(source: TakeoutSource): boolean {
  const table = source.find('activities.csv')
  return table !== null && table.name.split('/').length <= 2
}
