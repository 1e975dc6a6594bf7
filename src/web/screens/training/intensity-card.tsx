import { useState } from 'preact/hooks'
import { DayAxis, Levels, Plot, PlotTitle } from '../../charts/plot.tsx'
import { ticks } from '../../charts/scale.ts'
import { date, dayNumber, number, roughDuration, shiftedDay } from '../../format.ts'
import { Link, navigate } from '../../router.ts'
import { useResource } from '../../state.ts'
import type { Intensity } from '../../types.ts'
import { Facts } from '../../ui/card.tsx'
import { TERMS } from '../../words.ts'
import { daysPath } from '../run-query.ts'
import { offsetQuery } from '../stats.ts'
import { SpanCard } from './cards.tsx'

type Week = Intensity['weeks'][number]
const WEEK_SPANS = [
  ['12', '12 weeks'],
  ['26', '6 months'],
  ['52', '1 year'],
] as const
type Span = (typeof WEEK_SPANS)[number][0]

const WEEKS_HEIGHT = 230
const BARS = { top: 22, height: 176 }
const HOUR_S = 3600
/** From bottom to top, with the paints of a bar and of the key: low intensity is the base. */
const BANDS = [
  ['lowS', 'Easy', 'var(--strip2)', 'var(--strip2)'],
  ['moderateS', 'Moderate', 'url(#moderate)', 'repeating-linear-gradient(var(--surface) 0 1px, var(--strip3) 1px 4px)'],
  ['highS', 'Hard', 'var(--accent-2)', 'var(--accent-2)'],
  ['unknownS', 'Unknown', 'none', 'none'],
] as const

/** Time by intensity and week. */
export function IntensityCard() {
  const [span, setSpan] = useState<Span>('12')
  const resource = useResource(`/training/intensity?${offsetQuery()}&weeks=${span}`)
  return (
    <SpanCard
      title="Intensity by week"
      spans={WEEK_SPANS}
      span={span}
      onSpan={setSpan}
      resource={resource}
      height="330px"
    >
      {(data) => <Weeks data={data} />}
    </SpanCard>
  )
}

function Weeks({ data: { weeks, bounds, last4Weeks, last12Weeks } }: { readonly data: Intensity }) {
  const most = Math.max(...weeks.map(totalS))
  if (most === 0) return <p>No runs in these weeks.</p>
  const marks = ticks(most / HOUR_S, 3)
  const y = (seconds: number) => BARS.top + (1 - seconds / HOUR_S / marks.at(-1)!) * BARS.height
  return (
    <>
      <Facts
        of={[
          ['Last four weeks', spreadWords(last4Weeks)],
          ['Last twelve weeks', spreadWords(last12Weeks)],
        ]}
      />
      <Plot
        label="Easy, moderate and hard time by week. Arrow keys move between weeks, Enter shows the runs of one"
        height={WEEKS_HEIGHT}
        count={weeks.length}
        textAt={(place) => weekWords(weeks[place]!)}
        onOpen={(place) => navigate(weekPath(weeks[place]!))}
        isOpenedByMouse
        aside={(place) => <Link href={weekPath(weeks[place]!)}>Show runs</Link>}
        shareOf={(place) => (place + 0.5) / weeks.length}
        of={[weeks]}
        draw={({ x }) => {
          const step = x(1 / weeks.length) - x(0)
          return (
            <>
              <defs>
                <pattern id="moderate" width={5} height={5} patternUnits="userSpaceOnUse">
                  <rect fill="var(--strip3)" width={5} height={5} />
                  <rect fill="var(--surface)" width={5} height={1.2} />
                </pattern>
              </defs>
              <PlotTitle y={BARS.top} text="Hours" />
              <Levels
                at={marks}
                y={(mark) => y(mark * HOUR_S)}
                text={(mark) => number(mark, Number.isInteger(mark) ? 0 : 1)}
              />
              {weeks.flatMap((week, index) => {
                const gap = step > 8 ? 3 : 0.6
                let below = 0
                return BANDS.map(([key, , fill]) => {
                  const bottom = y(below)
                  below += week[key]
                  return (
                    week[key] > 0 && (
                      <rect
                        key={`${week.weekStart} ${key}`}
                        fill={fill}
                        stroke={fill === 'none' ? 'var(--line-strong)' : 'none'}
                        x={x(index / weeks.length) + gap / 2}
                        y={y(below)}
                        width={Math.max(1, step - gap)}
                        height={bottom - y(below)}
                      />
                    )
                  )
                })
              })}
              <DayAxis
                from={weeks[0]!.weekStart}
                to={shiftedDay(weeks.at(-1)!.weekStart, 6)}
                x={(day) => x(0) + ((dayNumber(day) - dayNumber(weeks[0]!.weekStart)) / 7) * step}
              />
            </>
          )
        }}
        point={({ x }, place) => {
          const from = x(place / weeks.length)
          const width = x((place + 1) / weeks.length) - from
          return <rect fill="var(--text)" opacity={0.1} x={from} y={BARS.top} width={width} height={BARS.height} />
        }}
      >
        <p class="in-key flow gap-3 small above-2" aria-hidden="true">
          {BANDS.map(([, words, , paint]) => (
            <span key={words} class="level">
              <i class="swatch" style={{ background: paint }} /> {words}
            </span>
          ))}
        </p>
        <p class="muted small above-2">
          Easy is below {bounds.lowBelowBpm} bpm, hard is {bounds.highFromBpm} bpm or more. Runs without heart rate
          count by pace. This describes your training; many mixes work.
        </p>
      </Plot>
    </>
  )
}

function weekPath({ weekStart }: Week): string {
  return daysPath(weekStart, shiftedDay(weekStart, 6))
}

function totalS({ lowS, moderateS, highS, unknownS }: Week): number {
  return lowS + moderateS + highS + unknownS
}

function weekWords(week: Week): string {
  const from = `Week of ${date(week.weekStart, 'short')}`
  const known = totalS(week) - week.unknownS
  if (known + week.unknownS === 0) return `${from}: no run`
  const said = [
    ...(known > 0 ? [`${number((100 * week.lowS) / known)}% easy`] : []),
    ...BANDS.flatMap(([key, words]) => (week[key] > 0 ? [`${words.toLowerCase()} ${roughDuration(week[key])}`] : [])),
  ]
  return `${from}: ${said.join(' · ')}`
}

const KINDS = {
  easyOnly: 'nearly all easy',
  polarized: 'polarized: easy and hard, little in between',
  pyramidal: 'pyramidal: mostly easy, some moderate, little hard',
  threshold: 'mostly moderate',
  highIntensity: 'mostly hard',
} as const

function spreadWords({ eightyTwenty, kind }: Intensity['last4Weeks']): string {
  if (eightyTwenty === null) return TERMS.notEnoughData
  const easy = `${number(eightyTwenty)}% easy`
  return kind === null ? `${easy}; a pattern needs four hours` : `${easy}, ${KINDS[kind]}`
}
