import { cutText, printableName } from '../../base/texts.ts'
import { addSport, bySport, type Sports, type SportWord, sportsText, sumOfSports } from '../../formats/sport-words.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import type { TakeoutKind } from './kind.ts'
import type { TakeoutSummary } from './schemas.ts'

/** Most characters of a name in the summary, since an export may hold any text. */
const SHOWN_CHARACTERS = 255
/** Most failures and warnings that are listed; all of them count, and the receipt has them all. */
const MOST_LISTED = 1000

export type Tally = ReturnType<typeof tallyOf>

type Counted = 'created' | 'updated' | 'skipped'

/** Counts the outcomes of an export, and notes in its receipt what runs do not note themselves. */
export function tallyOf({ origin }: Pick<TakeoutKind, 'origin'>, receipt: OpenReceipt | null) {
  const counts = { created: 0, skipped: 0, updated: 0, merged: 0, errors: 0, ignored: 0, media: 0 }
  const errorDetails: { filename: string; error: string }[] = []
  const warnings: { filename: string; message: string }[] = []
  const sports: Sports = new Map()
  const fail = (name: string, error: string) => {
    const filename = shownName(name)
    counts.errors += 1
    if (errorDetails.length < MOST_LISTED) errorDetails.push({ filename, error })
    receipt?.note({ outcome: 'error', filename, reason: error })
  }
  const warn = (warning: { readonly filename: string; readonly message: string }) => {
    const shown = { ...warning, filename: shownName(warning.filename) }
    if (warnings.length < MOST_LISTED) warnings.push(shown)
    receipt?.warn(shown)
  }
  return {
    addRun: (action: Counted, isMerged = false) => {
      counts[action] += 1
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
    processed: () => counts.created + counts.skipped + counts.updated + counts.errors,
    /** Notes the activities that are not runs, once all are counted. */
    noteSports: () => receipt?.ignored(sumOfSports(sports), `${sportsText(sports)} skipped (not runs)`),
    summary: (shoesCreated: number): TakeoutSummary => ({
      kind: origin,
      totalProcessed: counts.created + counts.skipped + counts.updated + counts.errors,
      successful: counts.created,
      skipped: counts.skipped,
      updated: counts.updated,
      merged: counts.merged,
      errors: counts.errors,
      errorDetails,
      skippedOther: sumOfSports(sports),
      skippedSports: bySport(sports),
      ignored: counts.ignored,
      shoesCreated,
      mediaImported: counts.media,
      warnings,
      receiptId: receipt?.id ?? null,
    }),
  }
}

export function shownName(name: string): string {
  return cutText(printableName(name), SHOWN_CHARACTERS)
}
