import { useState } from 'preact/hooks'
import { LENGTHS } from '../../../base/texts.ts'
import { HEAT_BASE_C, HEAT_SLOPES } from '../../../engine/training/conditions.ts'
import { attempt, toastDone } from '../../actions.ts'
import { api } from '../../api.ts'
import { DayAxis, Dot, Levels, Plot, scaleOf, TableView } from '../../charts/plot.tsx'
import { bandPath, linePath } from '../../charts/scale.ts'
import {
  counted,
  date,
  dayNumber,
  lowered,
  number,
  pace,
  paceDifference,
  range,
  shiftedDay,
  signed,
  text,
  type Units,
  unitLengthM,
} from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { AtOnePulse, Conditions } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Card, DataTable } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, useFields } from '../../ui/form.tsx'
import { Loaded, Notice } from '../../ui/loaded.tsx'
import { Help } from '../../ui/menu.tsx'
import { TERMS } from '../../words.ts'
import { offsetQuery, today } from '../stats.ts'
import { AboutEstimate, SpanCard } from './cards.tsx'

const SPANS = [
  ['year', '1 year'],
  ['all', '5 years'],
] as const

/** Whether the runner is getting better: fitness at one heart rate, what heat costs, and what sensors change. */
export function BetterView() {
  const [span, setSpan] = useState<'year' | 'all'>('year')
  const [runId, setRun] = useState<string | null>(null)
  const resource = useResource(`/truth/fitness?${offsetQuery()}`)
  return (
    <>
      <SpanCard title="Better?" spans={SPANS} span={span} onSpan={setSpan} resource={resource} height="420px">
        {(data) => <Body data={data} since={span === 'all' ? '' : shiftedDay(data.day, -365)} onRun={setRun} />}
      </SpanCard>
      {runId !== null && (
        <RunCard id={runId} bpm={resource.data?.referenceHeartRateBpm ?? null} onClose={() => setRun(null)} />
      )}
      <HeatCard />
      {resource.data !== null && <MarksCard marks={resource.data.marks} />}
    </>
  )
}

type OnRun = (id: string) => void

function Body({ data, since, onRun }: { readonly data: AtOnePulse; readonly since: string; readonly onRun: OnRun }) {
  const { change, runs, weeks } = data
  const shown = weeks.filter(({ weekStart }) => weekStart >= since)
  return (
    <>
      <p class="large bold">
        {changeWords(data)}{' '}
        <Help about="fitness at one heart rate">
          How fast you run at the same heart rate, averaged over 28 days. It’s adjusted for heat, wind, hills, length,
          time of day, place and tiredness by what your own runs show of them. 1 change in 5 is outside its range.
          Changes are understated by about a tenth.
        </Help>
      </p>
      {change.reasons.includes('poorFit') && <AboutEstimate of={{ ...change, reasons: [] }} />}
      <WeatherOff isHeatIn={data.withoutHeat} />
      <p>{checkWords(data.selfCheck)}</p>
      {shown.length > 0 && (
        <>
          <FitnessChart weeks={shown} points={data.points} onRun={onRun} />
          <p class="muted small">
            Speed at {number(data.referenceHeartRateBpm)} bpm against today, by week, with its 80% range. Dots are runs
            of the last year adjusted for conditions, hollow ones for heart rate only. Based on{' '}
            {counted(runs.used, 'steady run')}: {number(runs.window)} in the last 28 days, {number(runs.before)} in the
            28 days it is compared with.
          </p>
        </>
      )}
    </>
  )
}

/** Why heat is not taken out, and where that is changed. */
function WeatherOff({ isHeatIn }: { readonly isHeatIn: boolean }) {
  const { data } = useResource('/settings/weather')
  if (data === null || (data.available && data.lookups)) return null
  return (
    <div class="above-3 below-3">
      <Notice>
        Weather is off{data.available ? '' : ' on this server'}
        {isHeatIn ? ': heat is not taken out, so the range is wider. ' : '. '}
        {data.available && <Link href="/app/settings/access#weather">Turn on weather</Link>}
      </Notice>
    </div>
  )
}

/** The one sentence: better, worse, no clear change, or not yet. */
function changeWords({ change, stated, against, day }: AtOnePulse): string {
  const { value, low, high, reasons, missing } = change
  if (value === null || low === null || high === null) {
    if (reasons.some((reason) => reason === 'poorFit')) return 'No result: recent runs don’t fit the older ones.'
    return missing === null ? 'Not yet.' : `Not yet: ${lowered(missing)}.`
  }
  const then = date(against, against.slice(0, 4) === day.slice(0, 4) ? 'monthName' : 'monthYear')
  if (!stated) return `No clear change since ${then} (${range(signed(low, 1), signed(high, 1))}%).`
  const [least, most] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b)
  const word = value > 0 ? 'faster' : 'slower'
  return `${number(Math.abs(value), 1)}% ${word} at the same heart rate than in ${then} (${range(number(least!, 1), number(most!, 1))}%).`
}

function checkWords(check: AtOnePulse['selfCheck']): string {
  if (check === null) return 'Too few runs so far to check this against new ones.'
  return `${number(Math.round(check.share * check.n))} of the last ${number(check.n)} runs were within what was expected.`
}

/** Names of the parts of a run. */
const PARTS: Readonly<Record<string, string>> = {
  pulse: 'Heart rate',
  heat: 'Heat',
  cold: 'Cold',
  wind: 'Wind',
  climb: 'Hills',
  length: 'Length',
  hour: 'Time of day',
  tired: 'Tiredness',
  place: 'Place',
  device: 'Watch',
  sensor: 'Sensor',
}

/** Names of the other conditions. */
const CONDITIONS: Readonly<Record<string, string>> = {
  pulse: '10 bpm lower',
  morning: '6:00 against 18:00',
  cold: 'Each °C below 2 °C',
  wind: 'Wind, share of the calculated cost',
  climb: 'Each 10 m of climb per km',
  length: 'Each hour of running',
  tired: 'Fatigue twice as high as fitness',
}

/** `device: X` and `sensor: X` are named by themselves. */
function termName(name: string): string {
  return CONDITIONS[name] ?? name.replace(/^device/, 'Watch').replace(/^sensor/, 'Since')
}

type Banded = Readonly<Record<'value' | 'low' | 'high', number | null>>

/** `3.1% (2.1–4.1%)` */
function percentWords({ value, low, high }: Banded, digits = 1): string {
  if (value === null || low === null || high === null) return ''
  return `${number(value, digits)}% (${range(number(low, digits), number(high, digits))}%)`
}

const HEIGHT = 260
const TOP = 12
const BOTTOM = 26

type Week = AtOnePulse['weeks'][number]

interface FitnessChartProps {
  readonly weeks: readonly Week[]
  readonly points: AtOnePulse['points']
  /** Called for a run whose parts are asked for. */
  readonly onRun: OnRun
}

/** Fitness at the end of each week with its band, and the runs: corrected, and hollow as they were run. */
function FitnessChart({ weeks, points, onRun }: FitnessChartProps) {
  const [first, last] = [weeks[0]!.weekStart, weeks.at(-1)!.weekStart]
  const start = dayNumber(first)
  const end = dayNumber(last) + 7
  const inSight = points.filter((point) => dayNumber(point.date) >= start)
  const values = [...weeks.flatMap(({ low, high }) => [low, high]), ...inSight.map(({ corrected }) => corrected)]
  const { y, marks } = scaleOf(values, { top: TOP, height: HEIGHT - TOP - BOTTOM, steps: [1, 2, 5, 10] })
  const isWithin = (value: number) => value >= marks[0]! && value <= marks.at(-1)!
  const shareOf = (day: string, days = 0) => (dayNumber(day) + days - start) / (end - start)
  return (
    <Plot
      label="Fitness at one heart rate. Arrow keys move between runs, Enter shows the breakdown of a run"
      height={HEIGHT}
      count={inSight.length}
      textAt={(place) => runWords(inSight[place]!, weeks)}
      shareOf={(place) => shareOf(inSight[place]!.date, 0.5)}
      onOpen={(place) => onRun(inSight[place]!.workoutId)}
      of={[weeks, inSight.length, points]}
      draw={({ x }) => {
        const line = (of: 'value' | 'low' | 'high') =>
          weeks.map((week) => [x(shareOf(week.weekStart, 7)), y(week[of])] as const)
        return (
          <>
            <Levels at={marks} y={y} text={(mark) => `${mark === 0 ? '0' : signed(mark)}%`} />
            <path class="band" d={bandPath(line('high'), line('low'))} />
            {inSight.map((point) => {
              const shared = { x: x(shareOf(point.date, 0.5)), title: date(point.date, 'short') }
              return (
                <g key={point.workoutId}>
                  {isWithin(point.asRun) && (
                    <g opacity={0.45}>
                      <Dot {...shared} y={y(point.asRun)} isHollow />
                    </g>
                  )}
                  <Dot {...shared} y={y(point.corrected)} />
                </g>
              )
            })}
            <path class="line" d={linePath(line('value'))} />
            <DayAxis from={first} to={shiftedDay(last, 6)} x={(day) => x(shareOf(day))} />
          </>
        )
      }}
      table={{
        caption: 'Fitness at one heart rate by week, against today',
        heads: ['Week of', 'Speed', '80% range'],
        rows: () =>
          weeks
            .toReversed()
            .map(({ weekStart, value, low, high }) => [
              date(weekStart, 'short'),
              `${signed(value, 1)}%`,
              `${range(signed(low, 1), signed(high, 1))}%`,
            ]),
      }}
    />
  )
}

function runWords(point: AtOnePulse['points'][number], weeks: readonly Week[]): string {
  const week = weeks.find(({ weekStart }) => dayNumber(weekStart) + 7 > dayNumber(point.date))
  const fitness = week === undefined ? '' : ` · fitness that week ${signed(week.value, 1)}%`
  const run = `adjusted ${signed(point.corrected, 1)}%, as run ${signed(point.asRun, 1)}%`
  return `${date(point.date, 'long')}: ${run}${fitness}`
}

const HEAT_HEIGHT = 220

type Heat = Conditions['heat'][number]

/** What heat costs this runner, and the other conditions. */
function HeatCard() {
  const units = useUnits()
  const answer = useResource(`/truth/conditions?${offsetQuery()}`)
  return (
    <Card
      title="Heat"
      aside={
        <Help about="the heat curve">
          What your own runs show heat to cost, against a day of WBGT 12, which is about 10 °C. WBGT joins temperature
          and humidity. The light area is what most runners lose. The curve is usually a little too low, since the
          weather is that of the area, not of the road.
        </Help>
      }
    >
      <Loaded of={answer} height="280px">
        {({ heat, week, terms }) =>
          heat.length === 0 ? (
            <p class="muted">The heat curve needs 60 runs with weather.</p>
          ) : (
            <>
              <p class="large bold">{weekWords(week, units)}</p>
              <HeatChart heat={heat} />
              <p class="muted small">{curveWords(heat)}</p>
              <TableView
                summary="Other conditions"
                caption="Other conditions, 80% ranges; positive is slower"
                heads={['Condition', 'Slower by', 'Unit']}
                rows={() =>
                  terms.map((term) => [
                    termName(term.name),
                    percentWords(term, term.name === 'wind' ? 0 : 1),
                    term.name === 'wind' ? '' : term.unit.replace('%/', 'per '),
                  ])
                }
              />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function weekWords(week: Conditions['week'], units: Units): string {
  if (week === null) return 'No runs with weather last week.'
  const { value, low, high } = week.cost
  const of = (seconds: number | null) => paceDifference(seconds ?? 0, units)
  const plain = (seconds: number | null) =>
    of(seconds)
      .replace(/\s?s?\/.*$/, '')
      .trim()
  if (!week.stated || !((value ?? 0) > 0)) return 'No clear cost of heat last week.'
  return `Heat cost ${of(value)} last week (${range(plain(low), plain(high))}).`
}

function curveWords(heat: readonly Heat[]): string {
  const known = heat.filter(({ stated }) => stated)
  const shown = known.find(({ wbgtC }) => wbgtC >= 20) ?? known.at(-1)
  if (shown === undefined) return 'No clear cost of heat so far. A summer of runs would show it.'
  const cost = `${shown.atLeast ? 'at least ' : ''}${percentWords(shown.cost)}`
  return `At WBGT ${shown.wbgtC} heat costs you ${cost} of your pace. Dashed: not clear yet.`
}

/** The runner's own curve with its band over the range of most runners. */
function HeatChart({ heat }: { readonly heat: readonly Heat[] }) {
  const [first, last] = [heat[0]!.wbgtC, heat.at(-1)!.wbgtC]
  const usual = (wbgtC: number, slope: number) => slope * Math.max(0, wbgtC - HEAT_BASE_C)
  const values = heat.flatMap(({ cost }) => [cost.low ?? 0, cost.high ?? 0])
  const { y, marks } = scaleOf([0, usual(last, HEAT_SLOPES.high), ...values], {
    top: TOP,
    height: HEAT_HEIGHT - TOP - BOTTOM,
    steps: [1, 2, 5, 10],
  })
  const shareOf = (wbgtC: number) => (wbgtC - first) / (last - first)
  const stated = heat.findIndex((one) => one.stated)
  const from = stated < 0 ? heat.length : stated
  return (
    <Plot
      label="Your cost of heat by WBGT. Arrow keys move along the curve"
      height={HEAT_HEIGHT}
      count={heat.length}
      textAt={(place) => pointWords(heat[place]!)}
      shareOf={(place) => shareOf(heat[place]!.wbgtC)}
      of={[heat]}
      draw={({ x }) => {
        const points = (of: 'value' | 'low' | 'high', some = heat) =>
          some.map(({ wbgtC, cost }) => [x(shareOf(wbgtC)), y(cost[of] ?? 0)] as const)
        const most = (slope: number) => heat.map(({ wbgtC }) => [x(shareOf(wbgtC)), y(usual(wbgtC, slope))] as const)
        return (
          <>
            <Levels at={marks} y={y} text={(mark) => `${number(mark)}%`} />
            <path fill="var(--muted)" opacity={0.16} d={bandPath(most(HEAT_SLOPES.high), most(HEAT_SLOPES.low))} />
            <path class="band" d={bandPath(points('high'), points('low'))} />
            <path class="line ahead" d={linePath(points('value', heat.slice(0, from + 1)))} />
            <path class="line" d={linePath(points('value', heat.slice(from)))} />
            {heat
              .filter(({ wbgtC }) => wbgtC % 4 === 0)
              .map(({ wbgtC }) => (
                <text key={wbgtC} class="tick" x={x(shareOf(wbgtC))} y={HEAT_HEIGHT - 6} text-anchor="middle">
                  {wbgtC}
                </text>
              ))}
          </>
        )
      }}
    />
  )
}

function pointWords(one: Heat): string {
  const unclear = one.stated || one.cost.value === 0 ? '' : ', not clear'
  return `WBGT ${one.wbgtC}: ${one.atLeast ? 'at least ' : ''}${percentWords(one.cost)}${unclear}`
}

type Mark = AtOnePulse['marks'][number]

/** Days from which on another watch or sensor was worn. */
function MarksCard({ marks }: { readonly marks: readonly Mark[] }) {
  const [isAdding, setAdding] = useState(false)
  const remove = ({ id, name }: Mark) =>
    attempt(async () => toastDone(`${name} removed`, [await api.change('DELETE', `/truth/marks/${id}`)]))
  return (
    <Card
      title="Watches and sensors"
      aside={
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          Mark a sensor
        </Button>
      }
    >
      <p class="muted small">
        A sensor that reads 5 bpm lower looks like 5% of fitness. Mark the day when you change it, such as from the
        wrist to a strap. Watches are known from your recordings.
      </p>
      {marks.length > 0 && (
        <ul class="stack gap-2 above-3">
          {marks.map((mark) => (
            <li key={`${mark.day} ${mark.name}`} class="level spread">
              <span>
                {date(mark.day, 'short')}: {mark.name}
                {mark.kind === 'device' && <span class="muted"> (watch)</span>}
              </span>
              {mark.id !== null && (
                <Button
                  size="small"
                  icon="trash"
                  aria-label={`Remove ${mark.name}`}
                  onClick={() => void remove(mark)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdding && <MarkDialog onClose={() => setAdding(false)} />}
    </Card>
  )
}

const RULES = {
  name: (typed: string) => (typed.trim() === '' ? 'Enter a name' : null),
  day: (typed: string) => (typed === '' ? 'Enter a date' : null),
}

function MarkDialog({ onClose }: { readonly onClose: () => void }) {
  const { values, field, form } = useFields({ name: '', day: today() }, { rules: RULES, send })
  async function send() {
    const { name, day } = values
    toastDone(`${name.trim()} marked`, [await api.change('POST', '/truth/marks', { name, day, kind: 'sensor' })])
    onClose()
  }
  return (
    <Dialog title="Mark a sensor" onClose={onClose}>
      <Form {...form} action="Mark" isPrimary onCancel={onClose}>
        <Field label="Name" {...field('name')} maxLength={LENGTHS.name} placeholder="Chest strap" required autofocus />
        <Field label="First day" type="date" {...field('day')} required />
      </Form>
    </Dialog>
  )
}

/** The pace of one run as a sum. */
function RunCard({ id, bpm, onClose }: { id: string; bpm: number | null; onClose: () => void }) {
  const units = useUnits()
  const answer = useResource(`/truth/fitness/${id}?${offsetQuery()}`)
  return (
    <Card
      title={answer.data === null ? 'One run' : `Run of ${date(answer.data.date, 'short')}`}
      aside={
        <Button size="small" onClick={onClose}>
          Close
        </Button>
      }
    >
      <Loaded of={answer} height="200px">
        {({ sum }) =>
          sum === null ? (
            <p class="muted">This run isn’t included.</p>
          ) : (
            <DataTable
              caption="Breakdown of this run’s pace"
              heads={['Factor', TERMS.pace, '80% range']}
              rows={[
                [
                  `Fitness that day${bpm === null ? '' : ` at ${number(bpm)} bpm`}, cool and calm`,
                  text(pace(sum.referencePaceS, units)),
                  '',
                ],
                ...sum.parts.map(({ name, value, low, high }) => [
                  PARTS[name] ?? name,
                  `${difference(value, units)} s`,
                  ends(difference(low, units), difference(high, units)),
                ]),
                ['Not explained', `${difference(sum.restS, units)} s`, ''],
                ['As run, on the flat', <strong>{text(pace(sum.paceS, units))}</strong>, ''],
              ]}
            />
          )
        }
      </Loaded>
      <p class="small">
        <Link href={`/app/runs/${id}`}>Open the run</Link>
      </p>
    </Card>
  )
}

/** Such as `+9`, per km or mile. */
function difference(secondsPerKm: number, units: Units): string {
  return signed((secondsPerKm * unitLengthM(units)) / 1000)
}

function ends(low: string, high: string): string {
  // a phone's column is narrow, and a range is read as one
  return (low === high ? `${low} s` : `${low} to ${high} s`).replaceAll(' ', '\u00a0')
}
