import { distance, duration, elevation, number, pace, type Quantity, type Units } from '../../format.ts'
import { Amount } from '../../ui/card.tsx'
import type { Detail } from '../types.ts'

interface Figure {
  readonly name: string
  readonly amount: Quantity
  /** Lines below. */
  readonly about?: readonly string[]
}

/** The run in numbers: the four that matter large, the others small; what is not known is left out. */
export function RunNumbers({ run, units }: { readonly run: Detail; readonly units: Units }) {
  const others = otherFigures(run, units)
  return (
    <div class="run-numbers">
      <dl class="run-figures large">
        {mainFigures(run, units).map((figure) => (
          <FigureItem key={figure.name} {...figure} />
        ))}
      </dl>
      {others.length > 0 && (
        <dl class="run-figures">
          {others.map((figure) => (
            <FigureItem key={figure.name} {...figure} />
          ))}
        </dl>
      )}
    </div>
  )
}

function FigureItem({ name, amount, about = [] }: Figure) {
  return (
    <div class="run-figure">
      <dt>{name}</dt>
      <dd>
        <Amount of={amount} />
        {about.map((line) => (
          <span key={line} class="figure-about">
            {line}
          </span>
        ))}
      </dd>
    </div>
  )
}

function mainFigures(run: Detail, units: Units): Figure[] {
  const movingS = run.movingTimeS ?? run.timerTimeS ?? run.durationS
  // time and pace are those of the lists and of the records: with the stops in it
  const hasPause = run.durationS - movingS >= 5 && run.distanceM > 0
  const movingPace = pace((movingS / run.distanceM) * 1000, units).value
  return [
    { name: 'Distance', amount: distance(run.distanceM, units) },
    {
      name: 'Time',
      amount: { value: duration(run.durationS), unit: '' },
      about: hasPause ? [`${duration(movingS)} moving`] : [],
    },
    {
      name: 'Pace',
      amount: pace(run.avgPaceS, units),
      about: [
        ...(hasPause ? [`${movingPace} moving`] : []),
        ...(run.gapPaceS === null ? [] : [`${pace(run.gapPaceS, units).value} grade-adjusted`]),
      ],
    },
    ...(run.elevGainM === null
      ? []
      : [
          {
            name: 'Climb',
            amount: elevation(run.elevGainM, units),
            about: run.elevLossM === null ? [] : [`${elevation(run.elevLossM, units).value} down`],
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
    return [{ name, amount: { value: number(value), unit }, about: about === undefined ? [] : [about] }]
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
