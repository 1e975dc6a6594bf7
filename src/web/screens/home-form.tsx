// What Home says of today and of what is ahead; loaded after the first view, since the training views share its parts.
import { useMemo } from 'preact/hooks'
import { Level, Line, Plot } from '../charts/plot.tsx'
import { useIsNarrow } from '../charts/route-thumb.tsx'
import { linePath } from '../charts/scale.ts'
import { date, duration, number, shiftedDay, signed } from '../format.ts'
import { Link, navigate } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { Forecast, Goal, LoadDays, Race } from '../types.ts'
import { Track } from '../ui/card.tsx'
import { LoadFailure, Pending } from '../ui/loaded.tsx'
import { daysPath } from './run-query.ts'
import { offsetQuery, today } from './stats.ts'
import { Room } from './training/cards.tsx'
import {
  amountText,
  countdownTo,
  doneText,
  fitnessWords,
  formWords,
  goalName,
  isWarmingUp,
  raceDistance,
  roundTime,
  spanText,
  standingText,
} from './training/words.ts'

const DAYS_SHOWN = 41
const CHART = { top: 8, bottom: 22 } as const
/** Form within less than this is drawn as a low line, not as mountains. */
const LEAST_SPAN = 20

/** Today's form in one sentence, with the last six weeks, and what today has room for. */
export function TodayCard() {
  const now = useResource(`/training/today?${offsetQuery()}`)
  const loads = useResource(`/training/load?${offsetQuery()}&from=${shiftedDay(today(), -DAYS_SHOWN)}`)
  const ahead = useResource(`/training/forecast?${offsetQuery()}&plan=usual`)
  const failure = now.error ?? loads.error ?? ahead.error
  if (now.data === null || loads.data === null || ahead.data === null)
    return (
      <section class="card today-card" aria-label="Today">
        {failure !== null && <LoadFailure message={failure.message} />}
      </section>
    )
  const { form, formWord } = now.data
  return (
    <section class="card today-card" aria-label="Today">
      <p class="today-form">
        <Link href="/app/training" class="total-link" aria-label={`Form ${formWords(now.data)}`}>
          <strong class="big">{form.value === null ? number(null) : signed(form.value)}</strong> {formWord}
        </Link>
        <span class="today-fitness muted small"> · fitness {fitnessWords(now.data)}</span>
      </p>
      <Room now={now.data} />
      {loads.data.days.length > 0 && (
        <FormLine days={loads.data.days} ahead={ahead.data.days} isWarming={isWarmingUp(now.data)} />
      )}
    </section>
  )
}

interface FormLineProps {
  readonly days: LoadDays['days']
  readonly ahead: Forecast['days']
  /** The averages are still warming up. */
  readonly isWarming: boolean
}

/** Form of the last weeks, and dashed if one trains as usual. */
function FormLine({ days, ahead, isWarming }: FormLineProps) {
  const last = days.at(-1)?.date ?? ''
  const all = useMemo(() => [...days, ...ahead.filter((day) => day.date > last)], [days, ahead])
  const values = all.map(({ form }) => form)
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const height = useIsNarrow() ? 64 : 140
  const span = Math.max(LEAST_SPAN, high - low)
  const y = (form: number) => CHART.top + ((high - form) / span) * (height - CHART.top - CHART.bottom)
  const shareOf = (place: number) => (place + 0.5) / all.length
  const textAt = (place: number) => {
    const { date: day, form, load } = all[place]!
    return `${date(day, 'weekdayDay')}: form ${signed(form)}${place < days.length ? ` · load ${number(load)}` : ', if you train as usual'}`
  }
  return (
    <Plot
      class="today-chart above-2"
      label="Form by day. Arrow keys move between days, Enter shows a day’s runs"
      height={height}
      left={30}
      right={8}
      count={all.length}
      start={days.length - 1}
      textAt={textAt}
      caption={(place) => (
        <span class="muted small">
          {place === null
            ? isWarming
              ? 'Form, warming up for 42 days'
              : 'Form, last 6 weeks and next 2'
            : textAt(place)}
        </span>
      )}
      onOpen={(place) => (days[place]?.runs ?? 0) > 0 && navigate(daysPath(all[place]!.date, all[place]!.date))}
      shareOf={shareOf}
      of={[all, height]}
      draw={({ x }) => {
        const points = values.map((form, place) => [x(shareOf(place)), y(form)] as const)
        const past = points.slice(0, days.length)
        const [first, end] = [past[0], past.at(-1)]
        return (
          <>
            <Level y={y(0)} text="0" isBase />
            {Math.abs(y(high) - y(0)) > 13 && <Level y={y(high)} text={signed(high)} />}
            {Math.abs(y(low) - y(0)) > 13 && <Level y={y(low)} text={signed(low)} />}
            {first !== undefined && end !== undefined && (
              <>
                <path class="area" d={`${linePath(past)}L${end[0]} ${y(0)}L${first[0]} ${y(0)}Z`} />
                <path class="line" d={linePath(past)} />
                <path class="line ahead" d={linePath(points.slice(days.length - 1))} />
                <circle class="dot" cx={end[0]} cy={end[1]} r={4.5} />
                <text class="tick" x={end[0]} y={height - 5} text-anchor="middle">
                  Today
                </text>
              </>
            )}
          </>
        )
      }}
      point={({ x }, place) => <Line at={x(shareOf(place))} />}
    />
  )
}

/** The goal with what is needed a week, and the next race with its countdown and prediction. */
export function AheadCard() {
  const goals = useResource(`/training/goals?${offsetQuery()}`)
  const races = useResource(`/races?${offsetQuery()}&from=${today()}`)
  const goal = goals.data?.find(({ progress }) => progress !== null && progress.status !== 'reached')
  const race = races.data?.findLast(({ workoutId }) => workoutId === null)
  const active = goals.data?.filter(({ progress }) => progress !== null) ?? []
  return (
    <section class="card ahead-card" aria-label="Goal and race">
      {goals.data === null || races.data === null ? (
        <Pending error={goals.error ?? races.error} height="120px" />
      ) : (
        <>
          {goal === undefined ? (
            <p class="muted">
              {active.length > 0 ? 'All goals reached.' : 'No goal yet.'} With one you see here how far you are, and
              what you need a week. <Link href="/app/training?view=goals">Set a goal</Link>
            </p>
          ) : (
            <GoalPart goal={goal} count={active.length} />
          )}
          {race === undefined ? (
            <p class="muted">
              No race ahead. Add one to count down to it with your predicted time.{' '}
              <Link href="/app/training?view=races">Add a race</Link>
            </p>
          ) : (
            <RacePart race={race} />
          )}
        </>
      )}
    </section>
  )
}

function GoalPart({ goal, count }: { readonly goal: Goal; readonly count: number }) {
  const units = useUnits()
  const { metric, target, progress } = goal
  if (progress === null) return null
  return (
    <div>
      <h3>
        <Link href="/app/training?view=goals">{goalName(goal, units)}</Link>{' '}
        <span class="delta">
          {spanText(progress)}
          {count > 1 && ` · one of ${count}`}
        </span>
      </h3>
      <p>
        <strong class="ahead-sum">{doneText(metric, progress.done, units)}</strong>{' '}
        <span class="muted">of {amountText(metric, target, units)}</span>
      </p>
      <Track share={progress.done / target} mark={progress.expectedByYesterday / target} class="track full" />
      <p class="small">{standingText(goal, progress, units)}</p>
    </div>
  )
}

function RacePart({ race }: { readonly race: Race }) {
  const units = useUnits()
  const forecast = useResource(`/training/forecast?${offsetQuery()}&plan=usual`).data
  const on = forecast?.days.find(({ date }) => date === race.date)
  const { value, low, high } = race.prediction
  const about = [
    date(race.date, 'weekdayDay'),
    raceDistance(race.distanceM, units),
    ...(race.goalTimeS === null ? [] : [`goal ${duration(race.goalTimeS)}`]),
    ...(on === undefined ? [] : [`form ${signed(on.form)} if you train as usual`]),
  ]
  return (
    <div>
      <h3>
        <Link href="/app/training?view=races">{countdownTo(race, units)}</Link>
      </h3>
      <p class="muted small">{about.join(' · ')}</p>
      {value !== null && (
        <p>
          <strong class="ahead-sum">{roundTime(value)}</strong>{' '}
          <span class="muted">
            predicted{low !== null && high !== null && `, ${roundTime(low)}–${roundTime(high)}`}
          </span>
        </p>
      )}
    </div>
  )
}
