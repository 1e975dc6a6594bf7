import {
  type Activity,
  type Format,
  FormatError,
  MOST_RUNS,
  type ParsedFile,
  type ParseOptions,
  tooManyRuns,
} from '../format.ts'
import { CUT, eachElement, nestedList, type Place } from '../json-bytes.ts'
import { addSport, type Sports, sportWord } from '../sport-words.ts'
import { cleanText } from '../text-values.ts'
import { isRunName } from './names.ts'
import { activityOf, damaged, readWorkout } from './workout.ts'

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

const NAME_LENGTH = 60
const MOST_NAMES = 5

/** @throws FormatError */
function parseHealth(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const activities: Activity[] = []
  const others = new Set<string>()
  const sports: Sports = new Map()
  let skippedOther = 0
  const list = workoutsOf(bytes)
  const areAll = eachElement(bytes, list, (place) => {
    const workout = readWorkout(bytes, place)
    const name = typeof workout.about.name === 'string' ? (cleanText(workout.about.name, NAME_LENGTH) ?? '') : ''
    if (anySport || isRunName(name)) {
      // refused here and not when all are read, which takes a minute for a hundred thousand
      if (activities.length === MOST_RUNS) throw tooManyRuns()
      activities.push(activityOf(workout, name))
    } else {
      skippedOther += 1
      addSport(sports, sportWord(name))
      others.add(name === '' ? 'without a name' : name)
    }
  })
  // a list that ends with the file is not closed
  const isCut = !areAll || list.end >= bytes.length
  if (isCut && activities.length + skippedOther === 0) damaged()
  if (anySport && activities.length === 0) throw new FormatError('The file has no workouts', { problem: 'noRun' })
  const warning = [isCut ? CUT : null, others.size === 0 ? null : warningOf([...others])].filter(
    (part) => part !== null,
  )
  return {
    type: 'json',
    activities,
    skippedOther,
    sports,
    ...(warning.length === 0 ? {} : { warning: warning.join('. ') }),
  }
}

function warningOf(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ', and others' : ''
  return `Workouts that are not runs: ${names.slice(0, MOST_NAMES).join(', ')}${more}`
}

/** @returns the place between the brackets of the list of workouts @throws FormatError without such a list */
function workoutsOf(bytes: Uint8Array): Place {
  const list = nestedList(bytes, 'data', 'workouts')
  if (list === undefined) damaged()
  if (list !== null) return list
  throw new FormatError('The file has health data, but no workouts; export workouts as well', { problem: 'noRun' })
}
