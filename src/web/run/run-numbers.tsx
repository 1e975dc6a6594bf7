import { distance, duration, elevation, number, pace, type Quantity, type Units } from '../format.ts'
import { Amount } from '../ui/Card.tsx'
import type { Detail } from './types.ts'

interface Figure {
  readonly name: string
  readonly amount: Quantity
  readonly about?: string
}

/** The run in numbers: the four that matter large, the others small; what is not known is left out. */
export function RunNumbers({ run, units }: { readonly run: Detail; readonly units: Units }) {
  return (
    <div class="run-numbers">
      <dl class="run-figures large">
        {mainFigures(run, units).map((figure) => (
          <FigureItem key={figure.name} {...figure} />
        ))}
      </dl>
      <dl class="run-figures">
        {otherFigures(run, units).map((figure) => (
          <FigureItem key={figure.name} {...figure} />
        ))}
      </dl>
    </div>
  )
}

function FigureItem({ name, amount, about }: Figure) {
  return (
    <div class="run-figure">
      <dt>{name}</dt>
      <dd>
        <Amount of={amount} />
        {about !== undefined && <span class="figure-about">{about}</span>}
      </dd>
    </div>
  )
}

function mainFigures(run: Detail, units: Units): Figure[] {
  const movingS = run.movingTimeS ?? run.timerTimeS ?? run.durationS
  const hasPause = run.durationS - movingS >= 5
  return [
    { name: 'Distance', amount: distance(run.distanceM, units) },
    {
      name: hasPause ? 'Moving time' : 'Time',
      amount: { value: duration(movingS), unit: '' },
      ...(hasPause ? { about: `${duration(run.durationS)} elapsed` } : {}),
    },
    {
      name: 'Pace',
      amount: pace(run.avgPaceS, units),
      ...(run.gapPaceS === null ? {} : { about: `${pace(run.gapPaceS, units).value} grade-adjusted` }),
    },
    ...(run.elevGainM === null
      ? []
      : [
          {
            name: 'Climb',
            amount: elevation(run.elevGainM, units),
            ...(run.elevLossM === null ? {} : { about: `${elevation(run.elevLossM, units).value} down` }),
          },
        ]),
  ]
}

function otherFigures(run: Detail, units: Units): Figure[] {
  const plain = (
    name: string,
    value: number | null,
    [unit, about]: readonly [unit: string, about?: string | undefined],
  ): Figure[] => {
    if (value === null) return []
    return [{ name, amount: { value: number(value), unit }, ...(about === undefined ? {} : { about }) }]
  }
  const most = (value: number | null) => (value === null ? undefined : `${number(value)} max`)
  return [
    ...plain('Heart rate', run.avgHeartRateBpm, ['bpm', most(run.maxHeartRateBpm)]),
    ...plain('Cadence', run.avgCadenceSpm, ['spm', most(run.maxCadenceSpm)]),
    ...plain('Power', run.avgPowerWatts, ['W', most(run.maxPowerWatts)]),
    ...(run.maxSpeedMps === null || run.maxSpeedMps <= 0
      ? []
      : [{ name: 'Fastest pace', amount: pace(1000 / run.maxSpeedMps, units) }]),
    ...plain('Relative effort', run.relativeEffort, ['']),
    ...plain('Energy', run.calories, ['kcal']),
  ]
}
