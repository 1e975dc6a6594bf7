import { cutText, printableName } from '../../base/texts.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { addSport, bySport, type Sports, type SportWord, sportsText, sumOfSports } from '../../formats/sport-words.ts'
import type { StravaRow } from '../../formats/strava/rows.ts'
import { gearKey } from '../../library/gear.ts'
import type { ImportAction } from '../../library/outcomes.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import type { Counted, TakeoutKind } from './kind.ts'
import type { BulkSummary, TakeoutSummary } from './schemas.ts'

/** Most characters of a name in the summary, since an export may hold any text. */
const SHOWN_CHARACTERS = 255
/** Most failures and warnings that are listed; all of them count, and the receipt has them all. */
const MOST_LISTED = 1000

export type Tally = ReturnType<typeof tallyOf>

/**
 * Counts the outcomes of an export, and notes in its receipt what runs do not note themselves.
 * @param counted what a table lists: the activities that are not runs are then known, and each failure has its own row
 */
export function tallyOf(
  { origin, table }: Pick<TakeoutKind, 'origin' | 'table'>,
  receipt: OpenReceipt | null,
  counted?: Counted,
) {
  const counts = { created: 0, skipped: 0, updated: 0, merged: 0, errors: 0, ignored: 0, media: 0 }
  const most = counted === undefined ? MOST_LISTED : Number.POSITIVE_INFINITY
  const errorDetails: BulkSummary['errorDetails'] = []
  const warnings: BulkSummary['warnings'] = []
  const sports: Sports = new Map(counted?.sports)
  const gear = new Set<string>()
  const fail = (name: string, error: string, row?: StravaRow) => {
    const filename = shownName(name)
    counts.errors += 1
    if (errorDetails.length < most) errorDetails.push({ filename, error, ...(row && runOf(row)) })
    receipt?.note({ outcome: 'error', filename, reason: error })
  }
  const warn = (warning: { readonly filename: string; readonly message: string }) => {
    const shown = { ...warning, filename: shownName(warning.filename) }
    if (warnings.length < most) warnings.push(shown)
    receipt?.warn(shown)
  }
  const noteSports = (where = '') =>
    receipt?.ignored(sumOfSports(sports), `${where}${sportsText(sports)} skipped (not runs)`)
  if (counted !== undefined) noteSports(`${table?.name}: `)
  const processed = () => counts.created + counts.skipped + counts.updated + counts.errors
  return {
    /** The shoes that stored runs name in a table. */
    gear: gear as ReadonlySet<string>,
    addRun: (action: ImportAction, isMerged = false, row?: StravaRow) => {
      counts[action] += 1
      if (row !== undefined && row.gear !== null) gear.add(gearKey(row.gear))
      if (isMerged) counts.merged += 1
    },
    fail,
    /** A run that is not imported; what is stored already notes itself. */
    pass: (name: string, reason: string) => {
      counts.skipped += 1
      receipt?.note({ outcome: 'skipped', filename: shownName(name), reason })
    },
    addSport: (sport: SportWord, count = 1) => addSport(sports, sport, count),
    addSports: (found: Sports) => found.forEach((count, sport) => void addSport(sports, sport, count)),
    ignore: (count: number, folder: string, reason: string) => {
      counts.ignored += count
      receipt?.ignored(count, `${folder === '' ? '' : `${shownName(folder)}: `}${reason}`)
    },
    addMedia: (filename: string, added: boolean | { readonly error: string }) => {
      if (added === true) counts.media += 1
      else if (added !== false) warn({ filename, message: added.error })
    },
    warn,
    processed,
    /** Notes the activities that are not runs, once all are counted. */
    noteSports: () => {
      if (counted === undefined) noteSports()
    },
    summary: (shoesCreated: number): TakeoutSummary => {
      const { created: successful, media: mediaImported, ...others } = counts
      return {
        ...{ kind: origin, totalProcessed: processed(), successful, ...others, errorDetails },
        ...{ skippedOther: sumOfSports(sports), skippedSports: bySport(sports), shoesCreated, mediaImported, warnings },
        receiptId: receipt?.id ?? null,
      }
    },
  }
}

export function shownName(name: string): string {
  return cutText(printableName(name), SHOWN_CHARACTERS)
}

/** Name and start by which the runner recognises the run. */
function runOf({ name, startedAtMs }: StravaRow): { readonly name: string | null; readonly startedAt: string | null } {
  return { name, startedAt: startedAtMs === null ? null : isoTime(startedAtMs) }
}

/** The answer to a Strava export, from that to any export. */
export function bulkSummary({ skippedSports, shoesFound, stopped, ...summary }: TakeoutSummary): BulkSummary {
  const { totalProcessed, successful, skipped, updated, errors, errorDetails } = summary
  const { skippedOther, receiptId, mediaImported, warnings } = summary
  return {
    ...{ totalProcessed, successful, skipped, updated, errors, errorDetails, skippedOther },
    ...(skippedOther > 0 ? { skippedSports } : {}),
    ...{ receiptId, mediaImported, warnings },
    ...(shoesFound === undefined ? {} : { shoesFound }),
    ...(stopped === undefined ? {} : { stopped }),
  }
}
