import { counted, date, localDay, number, roughDistance, text, type Units } from '../format.ts'
import type { TakeoutSummary } from '../types.ts'
import { archiveOutcome, type Outcome, restoreOutcome } from './outcomes.ts'

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
    ...(distanceM === null ? [] : [text(roughDistance(distanceM, units))]),
    ...(shoes.length === 0 ? [] : [shoesText(shoes.length)]),
  ]
  const known = runs - successful
  const knownText =
    distanceM === null || known <= 0 ? '' : ` ${number(known)} ${known === 1 ? 'is' : 'are'} already in your log.`
  return `${KINDS[kind]}: ${parts.join(', ')}.${knownText}`
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
    stated.map(({ filename, message: reason }) => ({ name: baseName(filename), filename: '', reason })),
    shoesCreated > 0 ? [shoesText(shoesCreated)] : [],
  )
}

/** Folders of an export say little, and are long. */
function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function shoesText(count: number): string {
  return `${counted(count, 'pair')} of shoes`
}
