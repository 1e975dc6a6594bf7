import { NUMBER_NAMES, type Said } from '../../engine/numbers.ts'
import { changesSamples } from '../../engine/repair/repairs.ts'
import type { Carried } from '../../library/documents/run.ts'
import { type Derived, WORDS } from '../../library/run-rows.ts'
import { placeTime } from '../../library/time-zone.ts'
import type { ArchivedWorkout } from './archived.ts'
import type { RestoredInputs } from './recordings.ts'

/**
 * What the document of a restored run carries, of an archive that does not say it apart: what its row says and its
 * recordings do not give, as the move of older libraries has it (src/db/moves).
 */
export function carriedOf(
  { values, member, repairs }: ArchivedWorkout,
  { recordings }: RestoredInputs,
  { firstPosition }: Derived,
): Carried {
  const stated = recordings.map(({ recording }) => recording)
  const { startedAtMs, utcOffsetMinutes: said, inputs } = values
  const active = repairs.filter(({ repair }) => repair.undoneAt === undefined)
  const given = (word: (typeof WORDS)[number]) => stated.find(({ words }) => words[word] !== null)?.words[word] ?? null
  const words = WORDS.filter(
    (word) => !inputs.runnerSet.some((set) => set === word) && values.words[word] !== given(word),
  )
  const isSaid = said !== undefined && (member?.timeZone ?? null) !== null
  const place = isSaid ? null : placeTime(firstPosition, null, startedAtMs)
  const utcOffsetMinutes = said === undefined ? (place?.utcOffsetMinutes ?? null) : said
  // numbers as they were before the runner's own, of a run without samples
  const known: Said = active.find(({ before }) => before.numbers !== null)?.before.numbers ?? values.numbers
  const others = [...NUMBER_NAMES, 'hrZoneSeconds'] as const
  const numbers = stated.some(({ samples }) => samples !== null)
    ? []
    : others.filter((name) => known[name] != null && stated.every(({ totals }) => totals[name] == null))
  const first = active[0]?.before
  return {
    words: Object.fromEntries(words.map((word) => [word, values.words[word]])),
    place: first
      ? { timeZone: first.timeZone, utcOffsetMinutes: first.utcOffsetMinutes }
      : { timeZone: member?.timeZone ?? place?.zone ?? null, utcOffsetMinutes },
    numbers: Object.fromEntries(numbers.map((name) => [name, known[name]])),
    efforts: active.find(({ repair }) => changesSamples(repair))?.before.efforts ?? [],
  }
}
