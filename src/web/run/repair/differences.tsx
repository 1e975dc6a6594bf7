import type { NumberName } from '../../../engine/numbers.ts'
import { date, type Units } from '../../format.ts'
import { gapPaceOf, type PaceClock, shownPace } from '../../shown-pace.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { NUMBER_WORDS } from '../sources/number-words.ts'
import type { Numbers, Trial } from './change.ts'

interface Line {
  readonly name: string
  /** One value per column. */
  readonly values: readonly string[]
}

interface Reader {
  readonly units: Units
  /** The clock of the paces, as at the head of the run. */
  readonly clock: PaceClock
}

/** The numbers that a change would alter, before and after, or those of the parts of a split. */
export function Differences({ trial, ...reader }: Reader & { readonly trial: Trial }) {
  const isSplit = 'parts' in trial
  const lines = isSplit ? linesOf(trial.parts, reader).filter(isKnown) : changed(trial, reader)
  const heads = isSplit ? trial.parts.map((_, part) => `Run ${part + 1}`) : ['Now', 'After']
  if (lines.length === 0) return <p class="muted">This changes no numbers.</p>
  return (
    <section class="differences-frame" aria-label="Numbers" tabIndex={heads.length > MOST_IN_SIGHT ? 0 : undefined}>
      <DataTable
        class="differences"
        heads={[<span class="hidden-text">Number</span>, ...heads]}
        rows={lines.map(({ name, values: [first, ...others] }) => [
          name,
          isSplit ? first : <span class="muted">{first}</span>,
          ...others,
        ])}
      />
    </section>
  )
}

const MOST_IN_SIGHT = 3
const UNKNOWN = '–'

function isKnown({ values }: Line): boolean {
  return values.some((value) => value !== UNKNOWN)
}

function changed({ before, after }: Pick<Trial, 'before' | 'after'>, reader: Reader): Line[] {
  return linesOf([before, after], reader).filter(({ values: [now, then] }) => now !== then)
}

/** Paces by the clock of the reader; the service gives them by elapsed time. */
function pacesOf(numbers: Numbers, clock: PaceClock): Numbers {
  const shown = shownPace({ ...numbers, runType: null }, clock)
  return { ...numbers, avgPaceS: shown.paceS ?? numbers.avgPaceS, gapPaceS: gapPaceOf(numbers, shown) }
}

function linesOf(stated: readonly Numbers[], { units, clock }: Reader): Line[] {
  const columns = stated.map((numbers) => pacesOf(numbers, clock))
  const start = (numbers: Numbers) => date(numbers.startedAt, 'dateTime', numbers.utcOffsetMinutes ?? 0)
  const all = (Object.keys(NUMBER_WORDS) as NumberName[]).flatMap((key): Line[] => {
    const words = NUMBER_WORDS[key]
    if (words === null) return []
    const shown = (value: number | null) => (value === null ? null : words.shown(value, units)) ?? UNKNOWN
    return [{ name: words.name, values: columns.map((numbers) => shown(numbers[key])) }]
  })
  return [{ name: 'Start', values: columns.map(start) }, ...all]
}
