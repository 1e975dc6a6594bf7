import { number, range } from '../../format.ts'
import type { FormToday } from '../../types.ts'
import { Help } from '../../ui/help.tsx'
import { easyMinutesLeft, isMuch, roomWords } from './form-words.ts'

/** What today has room for; minutes with how they are computed. */
export function Room({ now }: { readonly now: FormToday }) {
  const [low = 0, high = 0] = now.room.map(({ load }) => load).toSorted((a, b) => a - b)
  return (
    <>
      {roomWords(now)}
      {!isMuch(now) && easyMinutesLeft(now) !== null && (
        <Help about="this range">
          A load of {range(number(low), number(high))} today puts tomorrow’s form between −10% and −30% of fitness.
          {now.load > 0 && ` ${number(now.load)} of it is done.`} The minutes follow from the median load per minute of
          your easy runs of the last 60 days.
        </Help>
      )}
    </>
  )
}
