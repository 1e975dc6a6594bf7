// What Home opens: the suggestions, with pairs of recordings to merge, and the order of the cards.
import type { Static } from '@sinclair/typebox'
import { useState } from 'preact/hooks'
import type { PageCard } from '../../engine/limits.ts'
import type { TriedMerge } from '../../features/repair/merge-schemas.ts'
import { toastDone } from '../actions.ts'
import { api, failureText } from '../api.ts'
import { useAsked, useSetting } from '../asked.ts'
import { RouteThumb } from '../charts/route-thumb.tsx'
import {
  capitalised,
  counted,
  distance,
  duration,
  elevation,
  number,
  type PaceClock,
  runName,
  shownPace,
  text,
  type Units,
  usePaceClock,
} from '../format.ts'
import { Link } from '../router.ts'
import { CHANNELS } from '../run/run-view.ts'
import { useResource, useUnits } from '../state.ts'
import type { Answer, PageSettings, Run } from '../types.ts'
import { Button, SkeletonLines } from '../ui/button.tsx'
import { DataTable } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Check, Form } from '../ui/form.tsx'
import { Notice, Pending } from '../ui/loaded.tsx'
import { TERMS } from '../words.ts'
import { runStart } from './run-lines.tsx'
import { offsetQuery } from './stats.ts'
import { ProposalsCard } from './training/proposals-card.tsx'
import './later.css'
import './training/training.css'

type Pair = Answer<'/workouts/merge-suggestions'>[number]
type Trial = Static<typeof TriedMerge>
type Channel = keyof typeof CHANNELS

/** The cards of Home and Statistics, for the dialog that orders them. */
const CARD_NAMES: Readonly<Record<PageCard, string>> = {
  today: 'Today',
  latest: 'Latest run',
  week: 'This week',
  ahead: 'Goal and race',
  totals: 'Totals',
  effort: 'Weekly load',
  days: 'Day by day',
  year: 'Year so far',
  rolling: 'Weeks and months',
  habits: 'Streaks and habits',
  records: 'Bests and highlights',
  highlights: 'Highlights',
  runs: 'Latest runs',
}

interface CardsDialogProps {
  readonly page: PageSettings
  /** The cards of the view; the others keep their places. */
  readonly of: readonly PageCard[]
  readonly onClose: () => void
}

/** Hides and orders the cards of a view. */
export function CardsDialog({ page, of, onClose }: CardsDialogProps) {
  const [cards, setCards] = useState(page.cards.filter(({ id }) => of.includes(id)))
  const move = (from: number, to: number) =>
    setCards(cards.toSpliced(from, 1).toSpliced(to, 0, ...cards.slice(from, from + 1)))
  const save = async () => {
    // the cards of the other view keep their places
    const next = cards.values()
    const all = page.cards.map((card) => (of.includes(card.id) ? (next.next().value ?? card) : card))
    await api.send('PUT', '/settings/page', { cards: all })
    onClose()
  }
  return (
    <Dialog title="Customise cards" onClose={onClose}>
      <Form action="Save" isPrimary onCancel={onClose} onSend={save}>
        <ol class="card-order lines">
          {cards.map(({ id, shown }, index) => (
            <li key={id} class="level">
              <Check
                checked={shown}
                onValue={(isShown) => setCards(cards.map((card) => (card.id === id ? { id, shown: isShown } : card)))}
              >
                {CARD_NAMES[id]}
              </Check>
              {(
                [
                  ['up', index - 1],
                  ['down', index + 1],
                ] as const
              ).map(([way, to]) => (
                <Button
                  key={way}
                  kind="quiet"
                  size="small"
                  icon={way}
                  aria-label={`Move ${CARD_NAMES[id]} ${way}`}
                  disabled={to < 0 || to === cards.length}
                  onClick={() => move(index, to)}
                />
              ))}
            </li>
          ))}
        </ol>
      </Form>
    </Dialog>
  )
}

/** Everything that Harrier proposes; nothing changes unless the runner accepts it. */
export function Suggestions({ pairs, onClose }: { readonly pairs: readonly Pair[]; readonly onClose: () => void }) {
  const { data, error } = useResource(`/training/proposals?${offsetQuery()}`)
  const certain = pairs.filter(({ certainty }) => certainty === 'certain').length
  return (
    <Dialog title="Suggestions" isWide onClose={onClose}>
      <div class="stack gap-4">
        {pairs.length === 0 && data?.length === 0 && <p>Nothing left to suggest.</p>}
        {pairs[0] !== undefined && <MergeCard key={pairs[0].id} pair={pairs[0]} certain={certain} />}
        {data === null ? <Pending error={error} height="8rem" /> : <ProposalsCard />}
      </div>
    </Dialog>
  )
}

/** The latest pair of runs that look like two recordings of one: merge, or keep both. */
function MergeCard({ pair, certain }: { readonly pair: Pair; readonly certain: number }) {
  const { data: second, save } = useSetting('/settings/second-recording')
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [choices, setChoices] = useState<Choices>({})
  const [id = '', otherId = ''] = pair.workoutIds
  const trial = useAsked(JSON.stringify(choices), async () => {
    return (await api.trial('POST', `/workouts/${id}/merge`, { otherId, choices })) as Trial
  })
  const act = async (what: () => Promise<unknown>) => {
    setBusy(true)
    setFailure(null)
    // the next pair comes with a card of its own
    await what().catch((error: unknown) => {
      setFailure(failureText(error))
      setBusy(false)
    })
  }
  const merge = async () =>
    toastDone('Recordings merged', [await api.change('POST', `/workouts/${id}/merge`, { otherId, choices })])
  const mergeAll = async () => {
    const { merged, receiptId } = await api.send('POST', '/workouts/merge-suggestions/merge', {})
    toastDone(`${counted(merged, 'pair')} merged`, [receiptId])
    if (merged === 0) setBusy(false)
  }
  const keep = () => api.send('POST', `/workouts/merge-suggestions/${pair.id}/dismiss`)
  return (
    <section class="card merge-card form" aria-labelledby="merge-title">
      <h2 id="merge-title">Two recordings of one run?</h2>
      <p class="muted">{pair.reason}.</p>
      {/* not while merging, since one of the runs goes */}
      {isBusy ? (
        <Waiting />
      ) : (
        <Compared ids={[id, otherId]} trial={trial.answer} choices={choices} onChoices={setChoices} />
      )}
      {(failure ?? trial.failure) !== null && <Notice kind="bad">{failure ?? trial.failure}</Notice>}
      <div class="actions start">
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={trial.answer === null || trial.isOutdated}
          onClick={() => void act(merge)}
        >
          Merge
        </Button>
        <Button disabled={isBusy} onClick={() => void act(keep)}>
          Keep both
        </Button>
        {certain > 1 && (
          <Button kind="quiet" disabled={isBusy} onClick={() => void act(mergeAll)}>
            {`Merge all ${number(certain)} certain`}
          </Button>
        )}
      </div>
      {second !== null && (
        <Check checked={second.mode === 'merge'} onValue={(isOn) => void save({ mode: isOn ? 'merge' : 'suggest' })}>
          Always merge certain pairs
        </Check>
      )}
    </section>
  )
}

/** Ids of recordings by channel, as chosen by the runner. */
type Choices = Partial<Trial['fieldSources']>

interface ComparedProps {
  readonly ids: readonly [string, string]
  /** What they would be together; null: not known. */
  readonly trial: Trial | null
  readonly choices: Choices
  readonly onChoices: (choices: Choices) => void
}

/** Both runs, and what they would be together; a channel that both have is taken from either. */
function Compared({ ids: [id, otherId], trial, choices, onChoices }: ComparedProps) {
  const reader = { units: useUnits(), clock: usePaceClock() }
  const first = useResource(`/workouts/${id}?includeRaw=false&includeRoute=true`)
  const second = useResource(`/workouts/${otherId}?includeRaw=false&includeRoute=true`)
  const recorded = [useResource(`/workouts/${id}/sources`).data, useResource(`/workouts/${otherId}/sources`).data]
  /** The recording of each run that has a channel. */
  const having = (channel: Channel) =>
    recorded.map((of) => of?.recordings.find(({ channels }) => channels.includes(channel)) ?? null)
  const shared = (Object.keys(CHANNELS) as Channel[]).filter((channel) => having(channel).every((of) => of !== null))
  if (first.data === null || second.data === null) return <Waiting />
  const runs = [first.data, second.data] as const
  const together = trial && { ...trial.after, runType: first.data.runType }
  return (
    <div class="merge-compared">
      <DataTable
        class="merge-table"
        heads={[
          <span class="hidden-text">Value</span>,
          ...runs.map((run) => (
            <>
              <RouteThumb route={previewOf(run.route)} />
              <Link href={`/app/runs/${run.id}`}>{runName(run)}</Link>
              <span class="muted small">{runStart(run)}</span>
              <span class="muted small">{run.device ?? ''}</span>
            </>
          )),
          'Merged',
        ]}
        rows={[
          ...ROWS.map(([name, shown]) => [
            name,
            ...[...runs, together].map((run) => (run === null ? '–' : shown(run, reader))),
          ]),
          ...shared.map((channel) => [
            capitalised(CHANNELS[channel]),
            ...having(channel).map((recording, k) => (
              <input
                type="radio"
                name={channel}
                aria-label={`${capitalised(CHANNELS[channel])} of ${runs[k]?.device ?? `recording ${k + 1}`}`}
                checked={recording !== null && (choices[channel] ?? trial?.fieldSources[channel]) === recording.id}
                onChange={() => recording !== null && onChoices({ ...choices, [channel]: recording.id })}
              />
            )),
            null,
          ]),
        ]}
      />
      {trial?.cutAwayS != null && (
        <div class="above-3">
          <Notice>{`The crop also removes the last ${duration(trial.cutAwayS)} of the other recording. Reverting the crop restores it.`}</Notice>
        </div>
      )}
    </div>
  )
}

/** As high as the comparison. */
function Waiting() {
  return (
    <div class="merge-compared">
      <SkeletonLines count={5} height="1.5rem" />
    </div>
  )
}

type Numbers = Pick<Trial['after'], 'distanceM' | 'elevGainM' | 'avgHeartRateBpm'> & Parameters<typeof shownPace>[0]
type Reader = { readonly units: Units; readonly clock: PaceClock }

const ROWS: readonly (readonly [name: string, shown: (run: Numbers, reader: Reader) => string])[] = [
  [TERMS.distance, ({ distanceM }, { units }) => text(distance(distanceM, units))],
  [TERMS.time, (run, { clock }) => duration(shownPace(run, clock).timeS)],
  [TERMS.averageHr, ({ avgHeartRateBpm: bpm }) => (bpm == null ? '–' : `${number(bpm)} bpm`)],
  [TERMS.elevationGain, ({ elevGainM }, { units }) => (elevGainM == null ? '–' : text(elevation(elevGainM, units)))],
]

const MOST_POINTS = 60

/** Few positions of a whole route, in the form of a preview. */
function previewOf(route: unknown): Run['route'] {
  const all = (route as { readonly coordinates?: readonly [number, number][] } | null)?.coordinates ?? []
  const every = Math.max(1, Math.ceil(all.length / MOST_POINTS))
  const points = all.filter((_, k) => k % every === 0)
  return points.length < 2 ? null : ({ type: 'LineString', coordinates: points } as Run['route'])
}
