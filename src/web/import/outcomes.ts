import { counted, date, listed, localDay, roughDistance, runDay, runName, text, type Units } from '../format.ts'
import type { BulkSummary, ImportSummary, RestoreResult, SingleImport, TakeoutSummary } from '../types.ts'

export type EndState = 'created' | 'updated' | 'skipped' | 'failed'

/** Runs by outcome, as the service names them. */
export type Counts = Pick<ImportSummary, 'successful' | 'updated' | 'skipped' | 'errors'>

/** One run or file that was not imported, with the reason. */
export interface Detail {
  /** Name of the run if there is one, else of the file; may be empty. */
  readonly name: string
  /** Name of the file when `name` is that of a run. */
  readonly filename?: string
  readonly reason: string
}

/** Result of importing one file. */
export interface Outcome {
  readonly state: EndState
  readonly message: string
  readonly counts: Counts
  /** Id of the run, when the file became exactly one. */
  readonly runId: string | null
  readonly details: readonly Detail[]
  /** Id of the receipt; null: none. */
  readonly receiptId: string | null
  /** Id of the same run in the trash; null: there is none. */
  readonly trashedId: string | null
  /** Gear names in an export for runs without a shoe. */
  readonly gear: readonly string[]
}

const NO_RUNS: Counts = { successful: 0, updated: 0, skipped: 0, errors: 0 }
export const NOTHING = { counts: NO_RUNS, runId: null, receiptId: null, trashedId: null, details: [], gear: [] }

/** Such as `312 imported, 40 duplicates, 3 failed`; empty without any. */
export function countsText({ successful, updated, skipped, errors }: Counts): string {
  return listed([
    [successful, 'imported'],
    [updated, 'updated'],
    [skipped, skipped === 1 ? 'duplicate' : 'duplicates'],
    [errors, 'failed'],
  ])
}

export function failedOutcome(message: string): Outcome {
  return { ...NOTHING, state: 'failed', message, counts: { ...NO_RUNS, errors: 1 } }
}

export function singleOutcome({ action, id, receiptId, trashedId }: SingleImport): Outcome {
  const messages = { created: 'Imported', updated: 'Added to a run you have', skipped: 'You already have this run' }
  const ends = { created: 'successful', updated: 'updated', skipped: 'skipped' } as const
  return {
    ...NOTHING,
    state: action,
    message: messages[action],
    runId: id,
    receiptId,
    trashedId: trashedId ?? null,
    counts: { ...NO_RUNS, [ends[action]]: 1 },
  }
}

export function summaryOutcome(counts: ImportSummary): Outcome {
  const { successful, updated, errors, errorDetails, receiptId } = counts
  const state = successful > 0 ? 'created' : updated > 0 ? 'updated' : errors > 0 ? 'failed' : 'skipped'
  const details = errorDetails.map(({ filename, error }) => ({ name: filename, reason: error }))
  return { ...NOTHING, state, counts, receiptId, message: countsText(counts) || 'No runs found', details }
}

/** Of an archive of a service: what came with the runs, and what was left out. @param shoes such as `2 pairs of shoes` */
function archiveOutcome(
  summary: BulkSummary | TakeoutSummary,
  details: readonly Detail[],
  shoes: readonly string[] = [],
): Outcome {
  const { mediaImported, skippedSports = {}, shoesFound = [] } = summary
  const sports = sportsText(skippedSports)
  const outcome = summaryOutcome(summary)
  const media = listed([[mediaImported, mediaImported === 1 ? 'photo or video' : 'photos and videos']])
  const said = [outcome.message, media, ...shoes, sports && `${sports} skipped`]
  const gear = shoesFound.filter(({ runsWithoutShoe }) => runsWithoutShoe > 0).map(({ name }) => name)
  return { ...outcome, message: said.filter(Boolean).join(', '), details, gear }
}

export function stravaOutcome(summary: BulkSummary): Outcome {
  const failed = summary.errorDetails.map((detail): Detail => {
    const { filename, error: reason } = detail
    const name = nameOfRun(detail)
    return name === null ? { name: filename, reason } : { name, filename, reason }
  })
  const warned = summary.warnings.map(({ filename, message }) => ({ name: filename, reason: message }))
  return archiveOutcome(summary, [...failed, ...warned])
}

/** Such as `24 Jul 2025 · Morning Run`; null when it is not a run, or nothing is known of it. */
function nameOfRun({ name = null, startedAt = null }: Partial<BulkSummary['errorDetails'][number]>) {
  if (startedAt === null) return name
  // a table has no place, and so no offset
  const run = { name, startedAt, utcOffsetMinutes: null }
  return `${runDay(run)} · ${runName(run)}`
}

export function restoreOutcome({ success, statistics, warnings, errors, receiptId }: RestoreResult): Outcome {
  const { imported, ...others } = statistics.workouts
  const counts = { ...NO_RUNS, ...others, successful: imported }
  const details = [...errors, ...warnings].map((reason) => ({ name: '', reason }))
  const said = [`${counted(imported, 'run')} restored`, countsText({ ...NO_RUNS, ...others })]
  const message = said.filter(Boolean).join(', ')
  return { ...NOTHING, state: success ? 'created' : 'failed', message, counts, receiptId, details }
}

const KINDS: Readonly<Record<TakeoutSummary['kind'], string>> = {
  garmin_takeout: 'Garmin export',
  apple_health: 'Apple Health export',
  zip: 'ZIP of workout files',
  runkeeper: 'Runkeeper export',
  runtastic: 'adidas Running export',
  polar_flow: 'Polar Flow export',
  nike: 'Nike Run Club export',
  health_connect: 'Health Connect backup',
  fittrackee: 'FitTrackee export',
  endurain: 'Endurain export',
  workout_tracker: 'workout-tracker database',
  goldencheetah: 'GoldenCheetah activities',
  health_auto_export: 'Health Auto Export',
  strava_archive: 'Strava export',
  archive: 'Harrier archive',
}

/** Such as `Garmin export: 1,204 runs from May 2014 to today, 12,310 km, 7 pairs of shoes. 388 are already in your log.` */
export function previewText({ kind, successful, preview }: TakeoutSummary, units: Units, nowMs = Date.now()): string {
  if (preview === undefined) return KINDS[kind]
  const { runs, firstRunAt, lastRunAt, distanceM, shoes } = preview
  const period = firstRunAt === null || lastRunAt === null ? '' : ` ${periodText(firstRunAt, lastRunAt, nowMs)}`
  const parts = [
    `${counted(runs, 'run')}${period}`,
    distanceM !== null && text(roughDistance(distanceM, units)),
    shoes.length > 0 && shoesText(shoes.length),
  ]
  const known = distanceM === null ? 0 : runs - successful
  const knownText = listed([[known, known === 1 ? 'is already in your log.' : 'are already in your log.']])
  return [`${KINDS[kind]}: ${parts.filter(Boolean).join(', ')}.`, knownText].join(' ').trim()
}

function periodText(first: string, last: string, nowMs: number): string {
  const [from, until] = [date(first, 'monthYear'), date(last, 'monthYear')]
  const isToday = localDay(last) === localDay(new Date(nowMs).toISOString())
  const to = isToday ? 'today' : until
  return from === to ? `from ${from}` : `from ${from} to ${to}`
}

export function takeoutOutcome(summary: TakeoutSummary): Outcome {
  const { restore, shoesCreated, errorDetails, warnings } = summary
  if (restore !== undefined) return restoreOutcome(restore)
  const stated = [...errorDetails.map(({ filename, error }) => ({ filename, message: error })), ...warnings]
  return archiveOutcome(
    summary,
    // folders of an export say little, and are long
    stated.map(({ filename, message: reason }) => ({ name: filename.split('/').at(-1) ?? '', reason })),
    shoesCreated > 0 ? [shoesText(shoesCreated)] : [],
  )
}

function shoesText(count: number): string {
  return `${counted(count, 'pair')} of shoes`
}

type Sports = TakeoutSummary['skippedSports']

const SPORTS: Readonly<Record<keyof Sports, string>> = {
  ride: 'ride',
  swim: 'swim',
  walk: 'walk',
  hike: 'hike',
  ski: 'ski tour',
  row: 'rowing session',
  strength: 'strength session',
  yoga: 'yoga session',
  other: 'other activity',
}

/** `61 rides, 12 swims, 1 other activity` */
function sportsText(sports: Sports): string {
  const names = Object.entries(SPORTS) as [keyof Sports, string][]
  return listed(
    names.map(([sport, word]) => {
      const count = sports[sport] ?? 0
      return [count, count === 1 ? word : sport === 'other' ? 'other activities' : `${word}s`]
    }),
  )
}
