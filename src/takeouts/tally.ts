import { SPORT_WORDS, type SportWord } from '../formats/sport-words.ts'
import type { OpenReceipt } from '../library/receipts/record.ts'
import { cutText, printableName } from '../texts.ts'
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
  const sports = new Map<SportWord, number>()
  const fail = (name: string, error: string) => {
    const filename = shownName(name)
    counts.errors += 1
    if (errorDetails.length < MOST_LISTED) errorDetails.push({ filename, error })
    receipt?.note({ outcome: 'error', filename, reason: error })
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
    addSport: (sport: SportWord, count = 1) => void sports.set(sport, (sports.get(sport) ?? 0) + count),
    ignore: (count: number, folder: string, reason: string) => {
      counts.ignored += count
      receipt?.ignored(count, `${folder === '' ? '' : `${shownName(folder)}: `}${reason}`)
    },
    addMedia: () => {
      counts.media += 1
    },
    warn: (warning: { readonly filename: string; readonly message: string }) => {
      const shown = { ...warning, filename: shownName(warning.filename) }
      if (warnings.length < MOST_LISTED) warnings.push(shown)
      receipt?.warn(shown)
    },
    processed: () => counts.created + counts.skipped + counts.updated + counts.errors,
    /** Notes the activities that are not runs, once all are counted. */
    noteSports: () => receipt?.ignored(sumOf(sports), `${sportsText(sports)} skipped: not runs`),
    summary: (shoesCreated: number): TakeoutSummary => ({
      kind: origin,
      totalProcessed: counts.created + counts.skipped + counts.updated + counts.errors,
      successful: counts.created,
      skipped: counts.skipped,
      updated: counts.updated,
      merged: counts.merged,
      errors: counts.errors,
      errorDetails,
      skippedOther: sumOf(sports),
      skippedSports: Object.fromEntries(
        SPORT_WORDS.flatMap((word) => (sports.has(word) ? [[word, sports.get(word)!]] : [])),
      ),
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

function sumOf(sports: ReadonlyMap<SportWord, number>): number {
  return [...sports.values()].reduce((sum, count) => sum + count, 0)
}

const PLURALS: Readonly<Record<SportWord, readonly [string, string]>> = {
  ride: ['ride', 'rides'],
  swim: ['swim', 'swims'],
  walk: ['walk', 'walks'],
  hike: ['hike', 'hikes'],
  ski: ['ski tour', 'ski tours'],
  row: ['rowing session', 'rowing sessions'],
  strength: ['strength session', 'strength sessions'],
  yoga: ['yoga session', 'yoga sessions'],
  other: ['other activity', 'other activities'],
}

/** `61 rides, 12 swims` */
function sportsText(sports: ReadonlyMap<SportWord, number>): string {
  return SPORT_WORDS.flatMap((word) => {
    const count = sports.get(word)
    return count === undefined ? [] : [`${count} ${PLURALS[word][count === 1 ? 0 : 1]}`]
  }).join(', ')
}
