import type { Tx } from '../../db/open.ts'
import { NUMBER_NAMES, type Said } from '../../engine/numbers.ts'
import { changesSamples } from '../../engine/repair/repairs.ts'
import { DEFAULT_ZONES } from '../../engine/run/zones.ts'
import { settleSteps } from '../../engine/settle.ts'
import { finished } from '../../engine/steps.ts'
import { type Derived, type Run, runRows } from '../../library/derive.ts'
import { type Carried, recordingIds } from '../../library/documents/run.ts'
import { recordingsByIds } from '../../library/recordings.ts'
import { placeTime } from '../../library/time-zone.ts'
import type { ArchivedWorkout } from './archived.ts'

// What the rows of an archive say of a run and nothing that is stored of it gives, for archives that do not say it apart.

const WORDS = ['name', 'notes', 'runType', 'rpe', 'source', 'device'] as const

interface Restoring {
  readonly archived: ArchivedWorkout
  readonly derived: Derived
}

/** What the document of a restored run carries. @param run without it */
export function carriedOf(tx: Tx, run: Run, { archived, derived }: Restoring): Carried {
  const { values, repairs } = archived
  const { row } = runRows(tx, run, derived)
  const words = WORDS.filter((word) => values.words[word] !== (row[word] ?? null))
  const active = repairs.filter(({ repair }) => repair.undoneAt === undefined)
  const resampled = active.find(({ repair }) => changesSamples(repair))
  const place = placeOf(archived, derived)
  const isPlaced =
    place.timeZone === (row.timeZone ?? null) && place.utcOffsetMinutes === (row.utcOffsetMinutes ?? null)
  return {
    words: Object.fromEntries(words.map((word) => [word, values.words[word]])),
    ...(isPlaced ? {} : { place }),
    numbers: otherNumbers(tx, run, archived),
    efforts: resampled?.before.efforts ?? [],
  }
}

/** Zone and offset before the first repair. */
function placeOf(
  { values, member, repairs }: ArchivedWorkout,
  { firstPosition }: Derived,
): NonNullable<Carried['place']> {
  const first = repairs.find(({ repair }) => repair.undoneAt === undefined)
  if (first !== undefined) return { timeZone: first.before.timeZone, utcOffsetMinutes: first.before.utcOffsetMinutes }
  const { startedAtMs, utcOffsetMinutes: said } = values
  const isSaid = said !== undefined && (member?.timeZone ?? null) !== null
  const place = isSaid ? null : placeTime(firstPosition, null, startedAtMs)
  return {
    timeZone: member?.timeZone ?? place?.zone ?? null,
    utcOffsetMinutes: said === undefined ? (place?.utcOffsetMinutes ?? null) : said,
  }
}

const ANY = { zones: DEFAULT_ZONES, elevation: { thresholdM: 0, minDistanceM: 0 }, primary: 0, ours: { effort: true } }

/** Numbers of a run without samples that its recordings do not give, as they were before the runner's own. */
function otherNumbers(tx: Tx, { body }: Run, { values, repairs }: ArchivedWorkout): Said {
  const told = recordingsByIds(tx, recordingIds(body.track))
  const hasTrack = tx.$client.query('SELECT 1 FROM samples WHERE recording_id = ?')
  if (told.some(({ id }) => hasTrack.get(id) !== null)) return {}
  const entered = repairs.find(({ repair, before }) => repair.undoneAt === undefined && before.numbers !== null)
  const known: Said = entered?.before.numbers ?? values.numbers
  const given = finished(
    settleSteps(
      told.map(({ kind, totals }) => ({ kind, said: totals, track: null })),
      [],
      ANY,
    ),
  ).numbers
  const other = ([...NUMBER_NAMES, 'hrZoneSeconds'] as const).filter(
    (name) => (known[name] ?? null) !== null && given[name] === null,
  )
  return Object.fromEntries(other.map((name) => [name, known[name]]))
}
