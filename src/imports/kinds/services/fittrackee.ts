import { fileTime } from '../../../engine/calendar/timestamp.ts'
import { NO_TOTALS } from '../../../engine/numbers.ts'
import { type Members, membersOf } from '../../../formats/json.ts'
import { amountOf, beatsOf, nameOf, notesOf } from '../../../formats/service-run.ts'
import { sportWord } from '../../../formats/sport-words.ts'
import { cleanText, decimal, numberOf, textOf } from '../../../formats/text-values.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import { type Item, NOTHING_TOLD, type TakeoutKind, type Unpacking } from '../kind.ts'
import { otherFiles } from '../nested.ts'
import type { TakeoutSource } from '../source.ts'
import { listRows, type RowRun, rowItem } from './rows.ts'

const LIST = 'user_workouts_data.json'
/** Labels of sports: `Running`, `Running (Trail)`, and `Trail` of older versions. */
const RUNNING = /run|^trail$/i
const ID_LENGTH = 100

/** FitTrackee: a list of workouts, and their files. */
export const fitTrackee: TakeoutKind = {
  origin: 'fittrackee',
  listed: 'FitTrackee',
  names: [/^(?:[^/]+\/){0,2}user_workouts_data\.json$/],
  items,
}

async function* items(source: TakeoutSource, unpacking: Unpacking): AsyncGenerator<Item> {
  const list = source.find(LIST)
  if (list === null) return
  const files = new Set([list.name])
  for await (const row of listRows(source, list, unpacking)) {
    const sport = textOf(row.sport_label) ?? ''
    const entry = fileOf(source, list, row)
    if (entry !== null) files.add(entry.name)
    if (RUNNING.test(sport)) yield await rowItem(source, runOf(row, { sport, entry, shoe: unpacking.shoe }))
    else yield { sport: sportWord(sport) }
  }
  yield* otherFiles(source, (name) => files.has(name))
}

function fileOf(source: TakeoutSource, list: ZipEntry, row: Members): RowRun['entry'] {
  for (const [place, name] of [['workout_files', row.original_file] as const, ['gpx', row.gpx] as const]) {
    const found = typeof name === 'string' && name !== '' ? source.beside(list, `${place}/${name}`) : null
    if (found) return found
  }
  return null
}

interface Found extends Pick<RowRun, 'entry'>, Pick<Unpacking, 'shoe'> {
  readonly sport: string
}

function runOf(row: Members, { sport, entry, shoe }: Found): RowRun {
  const id = cleanText(textOf(row.id), ID_LENGTH)
  const name = nameOf(row.title)
  const notes = [row.description, row.notes].map(notesOf).filter((text) => text !== null)
  const elapsedS = amountOf(secondsOf(row.duration))
  const movingS = amountOf(secondsOf(row.moving))
  return {
    name: `${LIST}, ${name ?? id ?? 'a run'}`,
    entry,
    told: {
      ...NOTHING_TOLD,
      external: id === null ? null : { origin: 'fittrackee', id },
      name,
      // such as `Running - 2018-03-13 13:44:45`
      isAutoName: name?.startsWith(`${sport} - 2`) === true,
      notes: notes.join('\n\n') || null,
      gear: shoeOf(row.equipments, shoe),
    },
    startedAtMs: fileTime(textOf(row.workout_date) ?? ''),
    totals: {
      ...NO_TOTALS,
      elapsedS,
      movingS: movingS !== null && elapsedS !== null && movingS <= elapsedS ? movingS : null,
      distanceM: amountOf(row.distance, 1000),
      avgHeartRateBpm: beatsOf(row.ave_hr),
      maxHeartRateBpm: beatsOf(row.max_hr),
      elevGainM: amountOf(row.ascent),
      elevLossM: amountOf(row.descent),
    },
  }
}

function shoeOf(equipments: unknown, noted: Unpacking['shoe']): string | null {
  const shoe = (Array.isArray(equipments) ? equipments.map(membersOf) : []).find(({ equipment_type: type }) =>
    /shoe/i.test(textOf(type) ?? textOf(membersOf(type).label) ?? ''),
  )
  const name = nameOf(shoe?.label)
  if (name !== null) noted(name, shoe?.is_active === false ? Number.NaN : null)
  return name
}

/** Seconds of `0:04:10`, `1 day, 2:00:00` or a number. */
function secondsOf(value: unknown): number {
  const found = /^(?:(\d+) days?, )?(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(textOf(value) ?? '')
  if (found === null) return numberOf(value)
  const [days, hours, minutes, seconds] = found.slice(1).map((part) => decimal(part ?? '0'))
  return ((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!
}
