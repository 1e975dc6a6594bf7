import {
  type Activity,
  type Format,
  FormatError,
  MOST_RUNS,
  type ParsedFile,
  type ParseOptions,
  tooManyRuns,
} from '../format.ts'
import { damaged, membersOf, parsedJson, rowsOf } from '../json.ts'
import { addSport, type Sports, sportWord } from '../sport-words.ts'
import { cleanText, textOf } from '../text-values.ts'
import { isRunName } from './names.ts'
import { activityOf } from './workout.ts'

/** Possible first members of `data`, depending on what an automation was set to export. */
const DATA = 'workouts|metrics|stateOfMind|medications|symptoms|cycleTracking|ecg|heartRateNotifications'
const BEGINNING = new RegExp(`^\\uFEFF?\\s*\\{\\s*"data"\\s*:\\s*\\{\\s*"(?:${DATA})"\\s*:`)

/** JSON of Health Auto Export 1 and 2; a file without a run is not an error, since automations send every day. */
export const healthFormat: Format = {
  type: 'json',
  name: 'Health Auto Export JSON',
  extensions: ['json'],
  detect: (head) => BEGINNING.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(head.subarray(0, 4096))),
  parse: parseHealth,
}

/** The collector alone would let as much gather as memory is in use: 460 MiB instead of 320 for a file of 60. */
const ROWS_A_COLLECTION = 32_768
const SERVICE = 'Health Auto Export'
const NAME_LENGTH = 60
const MOST_NAMES = 5

/** @throws FormatError */
function parseHealth(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const { workouts } = membersOf(membersOf(parsedJson(bytes, SERVICE)).data)
  if (!Array.isArray(workouts)) {
    const message = 'The file has health data, but no workouts; export workouts as well'
    throw new FormatError(message, { problem: 'noRun' })
  }
  if (workouts.some((one) => membersOf(one) !== one)) throw damaged(SERVICE)
  const activities: Activity[] = []
  const others: string[] = []
  const sports: Sports = new Map()
  let rows = 0
  for (const workout of rowsOf(workouts)) {
    const name = cleanText(textOf(workout.name), NAME_LENGTH) ?? ''
    if (anySport || isRunName(name)) {
      // refused here and not when all are read, which takes a minute for a hundred thousand
      if (activities.length === MOST_RUNS) throw tooManyRuns()
      const run = activityOf(workout, name)
      activities.push(run)
      rows += run.recording?.n ?? 0
      if (rows < ROWS_A_COLLECTION) continue
      rows = 0
      Bun.gc(true)
    } else {
      addSport(sports, sportWord(name))
      others.push(name === '' ? 'without a name' : name)
    }
  }
  if (anySport && activities.length === 0) throw new FormatError('The file has no workouts', { problem: 'noRun' })
  const read = { type: 'json', activities, skippedOther: others.length, sports }
  return others.length === 0 ? read : { ...read, warning: warningOf([...new Set(others)]) }
}

function warningOf(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ', and others' : ''
  return `Workouts that are not runs: ${names.slice(0, MOST_NAMES).join(', ')}${more}`
}
