import { date, number, pace, text } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import { useResource, useUnits } from '../../state.ts'
import type { PaceZones, Vo2max } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { offsetQuery } from '../stats.ts'
import { CriticalSpeedCard } from './critical-speed-card.tsx'
import { AboutEstimate, bandWords } from './estimate.tsx'
import { RacesCard } from './races-card.tsx'
import { TableView } from './table-view.tsx'
import { Vo2maxChart } from './vo2max-chart.tsx'

/** What the runner could race, and how that follows from runs. */
export function FitnessView() {
  return (
    <>
      <RacesCard />
      <Vo2maxCard />
      <ZonesCard />
      <CriticalSpeedCard />
    </>
  )
}

function Vo2maxCard() {
  const { data, error, reload } = useResource<Vo2max>(`/training/vo2max?${offsetQuery()}`)
  return (
    <Card
      title="Effective VO2max"
      aside={
        <Help about="effective VO2max">
          What your pace at your heart rate would mean for an average runner, in ml/kg/min. It is not measured: a wrong
          maximum heart rate moves it by several points. The band is such that two in ten fall outside.
        </Help>
      }
    >
      {data === null ? (
        error === null ? (
          <Skeleton height="330px" />
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : (
        <Vo2maxBody data={data} />
      )}
    </Card>
  )
}

function Vo2maxBody({ data }: { readonly data: Vo2max }) {
  const { effective, vdot, weeks, points } = data
  const left = points.filter(({ used }) => !used)
  return (
    <>
      <dl class="training-facts">
        <div>
          <dt>From heart rate</dt>
          <dd>{bandWords(effective, number)}</dd>
        </div>
        <div>
          <dt>From hard efforts (VDOT)</dt>
          <dd>{bandWords(vdot, number)}</dd>
        </div>
      </dl>
      <AboutEstimate of={effective} />
      {points.length > 0 && (
        <>
          <Vo2maxChart weeks={weeks} points={points} />
          <p class="muted small">
            The line is the value of each week in its band, filled dots are runs that count, diamonds races, and hollow
            dots are left out.
          </p>
          <TableView
            caption="Effective VO2max by week"
            heads={['Week from', 'Value', 'Low', 'High', 'Runs']}
            rows={() =>
              weeks
                .toReversed()
                .map((week) => [
                  date(week.weekStart, 'short'),
                  number(week.value, 1),
                  number(week.low, 1),
                  number(week.high, 1),
                  number(week.n),
                ])
            }
          />
          {left.length > 0 && (
            <TableView
              summary="Runs that are left out, and why"
              caption="Runs that are left out"
              heads={['Day', 'Value', 'Reason']}
              rows={() =>
                left.map((point) => [
                  date(point.date, 'short'),
                  number(point.value, 1),
                  point.reason === null ? 'unlike the other runs' : reasonWords([point.reason]),
                ])
              }
            />
          )}
        </>
      )}
    </>
  )
}

const ZONE_NAMES = {
  easy: 'Easy',
  marathon: 'Marathon',
  threshold: 'Threshold',
  interval: 'Interval',
  repetition: 'Repetition',
} as const

function ZonesCard() {
  const units = useUnits()
  const { data, error, reload } = useResource<PaceZones>(`/training/zones?${offsetQuery()}`)
  const paceText = (paceS: number | null) => text(pace(paceS, units))
  if (data === null) {
    return (
      <Card title="Pace zones">
        {error === null ? <Skeleton height="260px" /> : <LoadFailure message={error.message} onRetry={reload} />}
      </Card>
    )
  }
  const { targets } = data
  const targetOf = {
    easy: null,
    marathon: targets.marathonPaceS,
    threshold: targets.thresholdPaceS,
    interval: targets.intervalPaceS,
    repetition: targets.repetitionPaceS,
  }
  const isKnown = data.zones.some(({ fromPaceS, toPaceS }) => fromPaceS !== null || toPaceS !== null)
  return (
    <Card title="Pace zones">
      {isKnown ? (
        <>
          <table class="training-table">
            <caption class="hidden-text">Pace zones, with the pace to train at</caption>
            <thead>
              <tr>
                <th scope="col">Zone</th>
                <th scope="col">Between</th>
                <th scope="col">Typical</th>
              </tr>
            </thead>
            <tbody>
              {data.zones.map(({ name, fromPaceS, toPaceS }) => (
                <tr key={name}>
                  <th scope="row">{ZONE_NAMES[name]}</th>
                  <td>{between(fromPaceS, toPaceS, paceText)}</td>
                  <td>{targetOf[name] === null ? '' : paceText(targetOf[name])}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="muted small">
            {data.bordersSetByRunner
              ? 'You set these borders.'
              : 'They follow from the VDOT of your hard efforts above.'}
          </p>
        </>
      ) : (
        <p>Pace zones follow from a race or another hard effort between a mile and a marathon; none is known yet.</p>
      )}
      {!data.bordersSetByRunner && <AboutEstimate of={data.vdot} />}
    </Card>
  )
}

function between(from: number | null, to: number | null, shown: (paceS: number | null) => string): string {
  const [slow, fast] = [from, to]
  if (slow === null) return fast === null ? '' : `slower than ${shown(fast)}`
  return fast === null ? `faster than ${shown(slow)}` : `${shown(slow)} to ${shown(fast)}`
}
