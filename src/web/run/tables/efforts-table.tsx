import { api } from '../../api.ts'
import { distanceName, duration, pace, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Medal } from '../../ui/medal.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { toastDone } from '../../undo.ts'
import { useAction } from '../../use-action.ts'
import { TERMS } from '../../words.ts'
import { type RunView, sectionHandlers } from '../run-view.ts'
import type { Effort, RankedEffort } from '../types.ts'
import { bestText, countQuestion, standing, whyNot } from './rows.ts'

/** Ranks with a medal. */
const MEDALS = 3

interface EffortsTableProps {
  readonly runId: string
  readonly efforts: readonly Effort[]
  readonly view: RunView
}

/** The best efforts of the run with their places and ranks. */
export function EffortsTable({ runId, efforts, view }: EffortsTableProps) {
  const units = useUnits()
  const { data } = useResource(`/workouts/${runId}/best-efforts`)
  return (
    <Card title="Best efforts in this run" class="run-efforts">
      <table class="run-table run-best pointing">
        <thead>
          <tr>
            <th scope="col">{TERMS.distance}</th>
            <th scope="col">{TERMS.time}</th>
            <th scope="col">{TERMS.pace}</th>
            <th scope="col" class="run-best-place">
              Rank
            </th>
            <th scope="col">
              <span class="hidden-text">Your correction</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {efforts.map((effort) => {
            const section = { fromS: effort.startS, toS: effort.endS }
            const ranked = data?.distances.find(({ distanceM }) => distanceM === effort.distanceM) ?? null
            return (
              <tr key={effort.distance} {...sectionHandlers(view, section)}>
                <th scope="row">
                  <button
                    type="button"
                    class="split-name bare"
                    aria-label={`${distanceName(effort.distance)}: show on charts`}
                    onClick={() => view.zoom.set(view.zoom.get()?.fromS === section.fromS ? null : section)}
                  >
                    {distanceName(effort.distance)}
                  </button>
                </th>
                <td class="run-best-time">{duration(effort.timeMs / 1000)}</td>
                <td>{text(pace(effort.timeMs / effort.distanceM, units))}</td>
                <td class="run-best-place">
                  {ranked !== null && data !== null && <Standing effort={ranked} year={data.year} />}
                </td>
                <td class="run-best-word">{ranked !== null && <Word runId={runId} effort={ranked} />}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Card>
  )
}

function Standing({ effort, year }: { readonly effort: RankedEffort; readonly year: number }) {
  const refusal = whyNot(effort)
  if (refusal !== null) return <span class="muted">{refusal}</span>
  const [first, ...others] = standing(effort, year)
  if (first === undefined) return null
  const { rankEver: place, distanceM, best } = effort
  const more = [...others, ...(best === null ? [] : [`your best ${bestText(effort)}`])].join(', ')
  const words = effort.isUnconfirmed ? `${first}, unconfirmed` : first
  const leading = (
    <Link href={`/app/bests?distance=${distanceM}`} title={more}>
      {words}
      {first.startsWith('+') && <span class="hidden-text"> off your best</span>}
    </Link>
  )
  return place !== null && place <= MEDALS ? <Medal place={place}>{leading}</Medal> : leading
}

/** The runner's decision on an effort, offered where it has an effect. */
function Word({ runId, effort }: { readonly runId: string; readonly effort: RankedEffort }) {
  const { isBusy, act } = useAction(TERMS.notSaved)
  const say = (isRecord: boolean | null, said: string) =>
    act(async () => {
      await api.send('PATCH', `/workouts/${runId}/best-efforts/${effort.distanceM}`, { isRecord })
      toast(said)
    })
  const { isRecord, isPlausible, isUnconfirmed } = effort
  const name = distanceName(effort.distance)
  const items = [
    ...(isRecord !== false
      ? [{ text: 'Not a record', onChoose: () => void say(false, `${name} doesn’t count as a record`) }]
      : []),
    ...(isRecord === false || ((!isPlausible || isUnconfirmed) && isRecord === null)
      ? [{ text: 'Count it', onChoose: () => void say(true, `${name} counts`) }]
      : []),
    ...(isRecord !== null
      ? [{ text: 'Remove correction', onChoose: () => void say(null, `${name}: correction removed`) }]
      : []),
  ]
  if (isBusy) return null
  return <Menu label={`Your correction for ${name}`} items={items} buttonClass="button quiet icon-only small" />
}

/** Asks once whether the efforts of a run that are much faster than all others count. */
export function UnconfirmedEfforts({ runId }: { readonly runId: string }) {
  const { data } = useResource(`/workouts/${runId}/best-efforts`)
  const { isBusy, act } = useAction(TERMS.notSaved)
  const asked = data?.distances.filter(({ isUnconfirmed }) => isUnconfirmed) ?? []
  if (asked.length === 0) return null
  const decide = (efforts: boolean) =>
    act(async () => {
      const receiptId = await api.change('PATCH', `/workouts/${runId}`, { efforts })
      toastDone(efforts ? 'Counted as records' : 'Not counted as records', [receiptId])
    })
  return (
    <Notice>
      {countQuestion(asked)}{' '}
      <Button size="small" disabled={isBusy} onClick={() => void decide(true)}>
        {asked.length === 1 ? 'Count it' : 'Count them'}
      </Button>{' '}
      <Button kind="quiet" size="small" disabled={isBusy} onClick={() => void decide(false)}>
        Don’t count
      </Button>
    </Notice>
  )
}
