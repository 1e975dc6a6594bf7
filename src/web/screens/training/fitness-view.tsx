import { date, number, pace, signed, text } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Estimate, PaceZones, Vo2max } from '../../types.ts'
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

/** Race performance, and the runs that it follows from. */
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
  const { effective, vdot, weeks, points, factor, factorRaces, marathonShapePct } = data
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
      {isApart(effective, vdot) && (
        <p>The two differ by more than their bands: one is from racing, the other from your heart rate.</p>
      )}
      {factorRaces.length > 0 && (
        <p class="muted small">
          Your {factorRaces.length === 1 ? 'race corrects' : `${factorRaces.length} best races correct`} what heart rate
          says by {signed(100 * (factor - 1))} %.
          {marathonShapePct !== null &&
            ` Marathon shape, after Runalyze: ${number(marathonShapePct)} %, where 100 is usual in plans for a marathon; nothing here rests on it.`}
        </p>
      )}
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

/** Whether neither value lies within the band of the other. */
function isApart(a: Estimate, b: Estimate): boolean {
  if (a.low === null || a.high === null || b.low === null || b.high === null) return false
  return a.low > b.high || b.low > a.high
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
          <table class="training-table zones-ladder">
            <caption class="hidden-text">Pace zones, with the pace to train at</caption>
            <thead>
              <tr>
                <th scope="col">Zone</th>
                <th scope="col">Slower to faster</th>
                <th scope="col">Between</th>
                <th scope="col">Typical</th>
              </tr>
            </thead>
            <tbody>
              {data.zones.map(({ name, fromPaceS, toPaceS }) => (
                <tr key={name}>
                  <th scope="row">{ZONE_NAMES[name]}</th>
                  <td>
                    <Rung from={fromPaceS} to={toPaceS} zones={data.zones} />
                  </td>
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

/** A zone's place on a scale of all paces; open ends extend a little. */
function Rung({
  from,
  to,
  zones,
}: {
  readonly from: number | null
  readonly to: number | null
  readonly zones: PaceZones['zones']
}) {
  const speeds = zones
    .flatMap(({ fromPaceS, toPaceS }) => [fromPaceS, toPaceS])
    .flatMap((paceS) => (paceS === null ? [] : 1 / paceS))
  const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)]
  const margin = 0.15 * (fastest - slowest)
  const place = (paceS: number | null, end: number) => {
    const speed = paceS === null ? end : 1 / paceS
    return (100 * (speed - slowest + margin)) / (fastest - slowest + 2 * margin)
  }
  const [left, right] = [place(from, slowest - margin), place(to, fastest + margin)]
  return (
    <svg class="race-band" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect x={left} width={Math.max(1, right - left)} height={6} rx={1} />
    </svg>
  )
}

function between(from: number | null, to: number | null, shown: (paceS: number | null) => string): string {
  const [slow, fast] = [from, to]
  if (slow === null) return fast === null ? '' : `slower than ${shown(fast)}`
  return fast === null ? `faster than ${shown(slow)}` : `${shown(slow)} to ${shown(fast)}`
}
