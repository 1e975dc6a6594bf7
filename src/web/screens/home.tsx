// The first view of every day: today, the latest run, the week, what is ahead; and a row each on the year and the bests.
import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { PAGE_CARDS, type PageCard } from '../../engine/limits.ts'
import { DAY_MS } from '../../engine/units.ts'
import { RouteThumb, useIsNarrow } from '../charts/route-thumb.tsx'
import {
  counted,
  date,
  dateRange,
  distance,
  distanceName,
  duration,
  elevation,
  mondayOf,
  number,
  pace,
  roughDistance,
  roughDuration,
  runName,
  shiftedDay,
  shownPace,
  signed,
  text,
  usePaceClock,
  weekdayIndex,
} from '../format.ts'
import { DropZone } from '../import/drop.tsx'
import { GroundNews } from '../map/ground-news.tsx'
import { Link } from '../router.ts'
import { useResource, useUnits } from '../state.ts'
import type { PageSettings, Run } from '../types.ts'
import { Button, SkeletonLines } from '../ui/button.tsx'
import { Amount, Card, Facts, Track, Unconfirmed } from '../ui/card.tsx'
import { failureNotice, failureToast, Lazy, LoadFailure } from '../ui/loaded.tsx'
import { Help } from '../ui/menu.tsx'
import { LOAD_HELP, TERMS } from '../words.ts'
import { Medals, runStart } from './run-lines.tsx'
import { daysPath } from './run-query.ts'
import { offsetQuery, today, useDays, useMonths } from './stats.ts'
import { isPaused, lastDayOf, monthsUntil, sumsOfDays, sumsOfMonths, yearsOf, yearUntil } from './sums.ts'
import './screens.css'

const loadToday = () => import('./home-form.tsx').then(({ TodayCard }) => TodayCard)
const loadAhead = () => import('./home-form.tsx').then(({ AheadCard }) => AheadCard)
const loadSuggestions = () => import('./home-dialogs.tsx').then(({ Suggestions }) => Suggestions)
const loadCards = () => import('./home-dialogs.tsx').then(({ CardsDialog }) => CardsDialog)
const loadEdit = () => import('../run/run-head.tsx').then(({ QuickEdit }) => QuickEdit)

/** Shown while the settings cannot be loaded. */
const USUAL: Pick<PageSettings, 'cards'> = { cards: PAGE_CARDS.map((id) => ({ id, shown: true })) }
/** The cards of Home; those of Statistics have an order of their own among them. */
const CARDS: readonly PageCard[] = ['today', 'latest', 'week', 'ahead', 'year', 'rolling', 'records']
const SUNDAY = 6
const MONTHS_SHOWN = 12
/** A best younger than this is marked as new. */
const NEW_MS = 42 * DAY_MS
/** Distances of which Home shows the best, metres, and how many of them. */
const BESTS = [42_195, 21_097.5, 10_000, 5000, 1000, 400]
const BESTS_SHOWN = 4

/** Keeps the place of a card whose code comes later. */
const waitingAs = (name: string) => (failure: string | null) => (
  <section class={`card ${name}`}>{failure === null ? null : <p>{failure}</p>}</section>
)

export function Home() {
  const { data, error, isLoading } = useResource('/workouts?pageSize=1')
  const { days } = useDays()
  const { months } = useMonths()
  const page = useResource('/settings/page')
  if (data?.totalCount === 0)
    return (
      <div class="page narrow">
        <div class="page-head">
          <h1 tabIndex={-1}>No runs yet</h1>
        </div>
        <p class="muted below-4">
          Import your runs to see your week, your year, your records and your habits. Everything stays on this machine.
        </p>
        <DropZone />
      </div>
    )
  const shown = page.data ?? (page.error === null ? null : USUAL)
  const hasPaused = days !== null && months !== null && isPaused(days, months, today())
  const cardOf: Partial<Record<PageCard, () => ComponentChildren>> = {
    today: () => <Lazy load={loadToday} props={{}} waiting={waitingAs('today-card')} />,
    latest: () => (
      <section class="card latest-card" aria-label="Latest run">
        {data?.items[0] ? <Latest run={data.items[0]} isOld={isLoading} /> : <SkeletonLines count={3} height="52px" />}
      </section>
    ),
    week: () => !hasPaused && <WeekCard />,
    ahead: () => <Lazy load={loadAhead} props={{}} waiting={waitingAs('ahead-card')} />,
    year: () => <YearRow />,
    rolling: () => <MonthsRow />,
    records: () => <BestsRow />,
  }
  return (
    <div class="page home-page">
      <h1 tabIndex={-1} class="hidden-text">
        Home
      </h1>
      <div class="home-head level spread">
        <p class="muted">{date(today(), 'weekdayMonth')}</p>
        <div class="level">
          <SuggestionsLine />
          {page.data !== null && <Customise page={page.data} of={CARDS} />}
        </div>
      </div>
      {data === null && error !== null ? (
        <LoadFailure message={error.message} />
      ) : (
        <div class="dashboard">
          {shown?.cards.map(({ id, shown }) => shown && <Fragment key={id}>{cardOf[id]?.()}</Fragment>)}
        </div>
      )}
    </div>
  )
}

/** Opens the dialog that hides and orders these cards, which are those of a view. */
export function Customise({ page, of }: { readonly page: PageSettings; readonly of: readonly PageCard[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="quiet" size="small" icon="settings" aria-label="Customise cards" onClick={() => setOpen(true)} />
      {isOpen && <Lazy load={loadCards} props={{ page, of, onClose: () => setOpen(false) }} waiting={failureToast} />}
    </>
  )
}

/** How many proposals there are: pairs of recordings, zones and other values, shoes to retire; opens their list. */
function SuggestionsLine() {
  const pairs = useResource('/workouts/merge-suggestions').data ?? []
  const now = useResource(`/training/today?${offsetQuery()}`).data
  const [isOpen, setOpen] = useState(false)
  const count = pairs.length + (now?.proposals ?? 0)
  return (
    <>
      {count > 0 && (
        <Button kind="quiet" size="small" icon="info" onClick={() => setOpen(true)}>
          {counted(count, 'suggestion')}
        </Button>
      )}
      {/* stays while its last one goes */}
      {isOpen && (
        <Lazy load={loadSuggestions} props={{ pairs, onClose: () => setOpen(false) }} waiting={failureToast} />
      )}
    </>
  )
}

/**
 * The latest run: its shape and numbers, and what a runner enters after it.
 * @param isOld another one may be the latest by now, and this one gone
 */
function Latest({ run, isOld }: { readonly run: Run; readonly isOld: boolean }) {
  const units = useUnits()
  const { timeS, paceS } = shownPace(run, usePaceClock())
  const { data } = useResource('/stats/best-efforts/medals')
  const ground = useResource(run.route === null ? null : `/workouts/${run.id}/ground`, isOld)
  const place = ground.data?.start?.name
  const medals = (data?.medals ?? []).filter(({ workoutId }) => workoutId === run.id)
  const { elevGainM, avgHeartRateBpm, load } = run
  const facts = [
    [TERMS.distance, distance(run.distanceM, units)],
    [TERMS.time, { value: duration(timeS), unit: '' }],
    [TERMS.pace, pace(paceS, units)],
    [TERMS.elevationGain, elevGainM !== null && elevation(elevGainM, units)],
    [TERMS.averageHr, avgHeartRateBpm !== null && { value: number(avgHeartRateBpm), unit: 'bpm' }],
    [TERMS.load, load !== null && { value: number(load), unit: '' }],
  ] as const
  return (
    <>
      <Link href={`/app/runs/${run.id}`} class="latest-shape" aria-hidden="true" tabIndex={-1}>
        <RouteThumb route={run.route} />
      </Link>
      <div class="latest-body">
        <p class="muted small">
          {runStart(run)}
          {place != null && ` · from ${place}`}
          {run.leftOut && ' · not counted'}
        </p>
        <h2>
          <Link href={`/app/runs/${run.id}`}>{runName(run)}</Link>
          {medals.length > 0 && <Medals medals={medals.toSorted((a, b) => a.rank - b.rank)} />}
        </h2>
        <Facts
          class="numbers whole above-2"
          of={facts.map(([name, of]) => [name, of && <Amount of={of} />] as const)}
        />
      </div>
      <div class="latest-edit stack">
        <Lazy load={loadEdit} props={{ run }} waiting={failureNotice} key={run.id} />
      </div>
    </>
  )
}

/** This week so far, compared with the last one, the same days of it, and the average of three. */
function WeekCard() {
  const units = useUnits()
  const { days, error } = useDays()
  const day = today()
  const monday = mondayOf(day)
  const { data: news } = useResource(`/map/new-ground?startDate=${monday}&endDate=${day}`)
  const sums = (from: string, to: string) => sumsOfDays(days ?? [], from, to)
  const weekAgo = (weeks: number) => sums(shiftedDay(monday, -7 * weeks), shiftedDay(monday, SUNDAY - 7 * weeks))
  const week = sums(monday, day)
  const before = sums(shiftedDay(monday, -7), shiftedDay(day, -7))
  const lastM = weekAgo(1).distanceM
  const averageM = (lastM + weekAgo(2).distanceM + weekAgo(3).distanceM) / 3
  const mostM = Math.max(week.distanceM, lastM, averageM, 1)
  const shown = (metres: number) => text(distance(metres, units, 1))
  const isSunday = weekdayIndex(day) === SUNDAY
  const against = isSunday ? 'vs. last week' : 'vs. same point last week'
  const lastWeek = (
    <>
      <Link href={daysPath(shiftedDay(monday, -7), shiftedDay(monday, -1))} class="total-link">
        {shown(lastM)}
      </Link>
      {!isSunday && <span class="muted"> ({shown(before.distanceM)} by now)</span>}
    </>
  )
  // in the scale of the week
  const compared = [
    ['Last week', lastM, lastWeek],
    ['Three-week average', averageM, shown(averageM)],
  ] as const
  const climbed = change(week.elevGainM - before.elevGainM, (metres) => text(elevation(metres, units)))
  const figures = [
    ['Runs', number(week.runs), signed(week.runs - before.runs)],
    [TERMS.time, roughDuration(week.timeS), change(week.timeS - before.timeS, roughDuration)],
    [TERMS.elevationGain, <Amount of={elevation(week.elevGainM, units)} />, climbed],
    [TERMS.load, number(week.load), signed(Math.round(week.load) - Math.round(before.load))],
  ] as const
  return (
    <Card
      title="This week"
      class="week"
      aside={<span class="muted">{dateRange(monday, shiftedDay(monday, SUNDAY))}</span>}
    >
      {days === null && error !== null && <LoadFailure message={error.message} />}
      <div class={days === null ? 'week-body blank' : 'week-body'} aria-hidden={days === null}>
        <div>
          <div class="level spread">
            <p class="hero">
              <Link href={daysPath(monday, shiftedDay(monday, SUNDAY))} class="total-link">
                <Amount of={distance(week.distanceM, units, 1)} />
              </Link>
            </p>
            {news !== null && <GroundNews {...news} />}
          </div>
          <Track share={week.distanceM / mostM} class="track full" />
          {compared.map(([name, metres, value]) => (
            <div key={name} class="comparison small above-2">
              <span class="muted">{name}</span>
              <span>{value}</span>
              <Track share={metres / mostM} class="track whole" />
            </div>
          ))}
        </div>
        <Columns
          name="By day, compared with last week"
          columns={Array.from({ length: 7 }, (_, index) => {
            const own = shiftedDay(monday, index)
            const last = shiftedDay(own, -7)
            const of = { value: sums(own, own).distanceM, before: sums(last, last).distanceM }
            const said = `${date(own, 'weekday')}: ${of.value > 0 ? shown(of.value) : 'no run'}, last week ${of.before > 0 ? shown(of.before) : 'no run'}`
            return { ...of, said, from: own, to: own, name: date(own, 'weekday'), isNow: own === day }
          })}
          shown={(metres) => distance(metres, units, 1).value}
        />
        <dl class="week-metrics nowrap">
          {figures.map(([name, value, delta]) => (
            <div key={name}>
              <dt>
                {name}
                {name === TERMS.load && <Help about="load">{LOAD_HELP}</Help>}
              </dt>
              <dd>
                <span>{value}</span>
                <span class="delta" title={against}>
                  {delta}
                  <span class="hidden-text"> {against}</span>
                </span>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  )
}

function change(by: number, stated: (amount: number) => string): string {
  return by === 0 ? '±0' : `${by < 0 ? '−' : '+'}${stated(Math.abs(by))}`
}

interface ColumnsProps {
  readonly name: string
  readonly columns: readonly {
    readonly name: string
    readonly value: number
    /** What it is compared with, as a shadow. */
    readonly before?: number
    /** First and last day, whose runs it leads to. */
    readonly from: string
    readonly to: string
    readonly said: string
    readonly isNow: boolean
  }[]
  readonly shown: (value: number) => string
}

/** Amounts as bars with their numbers, each leading to its runs. */
function Columns({ name, columns, shown }: ColumnsProps) {
  const max = Math.max(...columns.flatMap(({ value, before = 0 }) => [value, before]), 1)
  const height = (value: number) => `${(value / max) * 100}%`
  return (
    <ol
      class="week-bars"
      aria-label={name}
      style={{ gridTemplateColumns: `repeat(${columns.length}, minmax(0, 1fr))` }}
    >
      {columns.map(({ value, before = 0, from, to, said, isNow, ...of }) => (
        <li key={from} class={isNow ? 'today' : ''} title={said}>
          <span class="column" aria-hidden="true">
            <span class="ghost" style={{ height: height(before) }} />
            <span class="bar" style={{ height: height(value) }} />
            {value > 0 && (
              <span class="value tiny bold nowrap" style={{ bottom: height(value) }}>
                {shown(value)}
              </span>
            )}
          </span>
          {value > 0 ? (
            <Link class="name muted tiny" href={daysPath(from, to)} aria-label={said}>
              {of.name}
            </Link>
          ) : (
            <span class="name muted tiny">
              <span aria-hidden="true">{of.name}</span>
              <span class="hidden-text">{said}</span>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

/** The year so far against the last one at this day, or the last year with runs. */
function YearRow() {
  const units = useUnits()
  const { days } = useDays()
  const { months } = useMonths()
  const day = today()
  const [year = Number(day.slice(0, 4)), against] = yearsOf(months ?? [], day)
  const isNow = day.startsWith(`${year}`)
  const nowM = isNow ? yearUntil(months ?? [], days ?? [], day) : sumsOfMonths(months ?? [], `${year}`).distanceM
  const hasLast = isNow && against === year - 1
  const thenM = hasLast ? yearUntil(months ?? [], days ?? [], `${against}${day.slice(4)}`) : 0
  const wholeM = hasLast ? sumsOfMonths(months ?? [], `${against}`).distanceM : 0
  const most = Math.max(nowM, wholeM, 1)
  return (
    <Row
      title={isNow ? `${year} so far` : `${year}, your last active year`}
      class="year-row"
      link="/app/statistics"
      isThere={days !== null && months !== null}
    >
      <Link href={daysPath(`${year}-01-01`, `${year}-12-31`)} class="total-link">
        <Amount of={roughDistance(nowM, units)} class="big" />
      </Link>
      {hasLast && (
        <div class="grow whole">
          <p class="small">
            <strong class={nowM >= thenM ? 'ahead' : ''}>
              {text(roughDistance(Math.abs(nowM - thenM), units))} {nowM >= thenM ? 'ahead of' : 'behind'}
            </strong>{' '}
            <span class="muted">
              {date(day, 'day')} {against} · {against}: {text(roughDistance(wholeM, units))}
            </span>
          </p>
          <Track share={nowM / most} mark={thenM / most} class="track full" />
        </div>
      )}
    </Row>
  )
}

/** The distance of each of the last twelve months. */
function MonthsRow() {
  const units = useUnits()
  const isNarrow = useIsNarrow()
  const { months } = useMonths()
  const month = today().slice(0, 7)
  return (
    <Row title={`${MONTHS_SHOWN} months`} class="months-row" link="/app/statistics" isThere={months !== null}>
      <Columns
        name="By month"
        columns={monthsUntil(month, MONTHS_SHOWN).map((one) => {
          const { distanceM: value, runs } = sumsOfMonths(months ?? [], one)
          const first = `${one}-01`
          const name = date(first, 'month')
          const said = `${name}: ${text(roughDistance(value, units))}, ${counted(runs, 'run')}`
          const of = { value, said, isNow: one === month }
          return { ...of, from: first, to: lastDayOf(one), name: isNarrow ? name.slice(0, 1) : name }
        })}
        shown={(metres) => roughDistance(metres, units).value}
      />
    </Row>
  )
}

/** The best of the usual distances, the longest run and the biggest week. */
function BestsRow() {
  const units = useUnits()
  const { data } = useResource('/stats/best-efforts')
  const insights = useResource('/stats/insights').data
  const bests = (data?.distances ?? []).filter(({ distanceM }) => BESTS.includes(distanceM)).slice(-BESTS_SHOWN)
  const { longestRun, biggestWeek } = insights?.performance ?? {}
  if (data !== null && insights !== null && bests.length === 0 && longestRun == null) return null
  return (
    <Row title="Bests and highlights" class="bests-row" link="/app/bests" isThere={data !== null && insights !== null}>
      <Facts
        class="numbers home-bests grow"
        of={[
          ...bests.map(({ distance, distanceM, timeMs, workoutDate, isUnconfirmed }) => {
            const isNew = !isUnconfirmed && Date.now() - Date.parse(workoutDate) < NEW_MS
            return [
              distanceName(distance),
              <>
                <Link href={`/app/bests?distance=${distanceM}`}>{duration(timeMs / 1000)}</Link>{' '}
                {isUnconfirmed && <Unconfirmed />}
                {isNew && <span class="badge">New</span>}
              </>,
            ] as const
          }),
          [
            'Longest run',
            longestRun != null && (
              <Link href={`/app/runs/${longestRun.workoutId}`}>{text(distance(longestRun.distanceM, units, 1))}</Link>
            ),
          ],
          [
            'Biggest week',
            biggestWeek != null && (
              <Link href={daysPath(biggestWeek.weekStart, biggestWeek.weekEnd)}>
                {text(roughDistance(biggestWeek.distanceM, units))}
              </Link>
            ),
          ],
        ]}
      />
    </Row>
  )
}

interface RowProps {
  readonly title: string
  readonly class: string
  /** Where there is more of it. */
  readonly link: string
  /** Until then it keeps its place. */
  readonly isThere: boolean
  readonly children: ComponentChildren
}

/** One row below what is daily. */
function Row({ title, link, isThere, children, ...of }: RowProps) {
  return (
    <section class={`card home-row ${of.class}`} aria-label={title}>
      <h2>
        <Link href={link}>{title}</Link>
      </h2>
      <div class={isThere ? 'flow gap-5' : 'flow gap-5 blank'} aria-hidden={!isThere}>
        {children}
      </div>
    </section>
  )
}
