import { EFFORT_HELP } from '../../effort-help.ts'
import { distance, duration, elevation, number, pace, type Quantity, type Units } from '../../format.ts'
import { gapPaceOf, type ShownPace } from '../../shown-pace.ts'
import { useUnits } from '../../state.ts'
import { Amount } from '../../ui/card.tsx'
import { Help } from '../../ui/help.tsx'
import { TERMS } from '../../words.ts'
import type { Detail } from '../types.ts'

interface Figure {
  readonly name: string
  readonly amount: Quantity
  /** Text lines below the number. */
  readonly about?: readonly string[]
  /** Explanation of the number. */
  readonly help?: string
}

/** The numbers of the run: the four most important large, the others small; unknown ones are left out. */
export function RunNumbers({ run, shown }: { readonly run: Detail; readonly shown: ShownPace }) {
  const units = useUnits()
  const others = otherFigures(run, units)
  return (
    <div class="run-numbers stack gap-4">
      <dl class="run-figures large">
        {mainFigures(run, shown, units).map((figure) => (
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

function FigureItem({ name, amount, about = [], help }: Figure) {
  return (
    <div class="run-figure">
      <dt>
        <span>{name}</span>
        {help !== undefined && <Help about={name.toLowerCase()}>{help}</Help>}
      </dt>
      <dd>
        <Amount of={amount} />
        {about.map((line) => (
          <span key={line} class="figure-about delta">
            {line}
          </span>
        ))}
      </dd>
    </div>
  )
}

function mainFigures(run: Detail, shown: ShownPace, units: Units): Figure[] {
  const { other } = shown
  return [
    { name: TERMS.distance, amount: distance(run.distanceM, units) },
    {
      name: TERMS.time,
      amount: { value: duration(shown.timeS), unit: '' },
      about: other === null ? [] : [`${duration(other.timeS)} ${other.clock}`],
    },
    {
      name: TERMS.pace,
      amount: pace(shown.paceS, units),
      about: [
        ...(other === null ? [] : [`${pace(other.paceS, units).value} ${other.clock}`]),
        ...(run.gapPaceS === null ? [] : [`${pace(gapPaceOf(run, shown), units).value} grade-adjusted`]),
      ],
    },
    ...(run.elevGainM === null
      ? []
      : [
          {
            name: TERMS.elevationGain,
            amount: elevation(run.elevGainM, units),
            about: run.elevLossM === null ? [] : [`${elevation(run.elevLossM, units).value} loss`],
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
    ...plain(TERMS.heartRate, run.avgHeartRateBpm, ['bpm', most(run.maxHeartRateBpm)]),
    ...plain(TERMS.cadence, run.avgCadenceSpm, ['spm', most(run.maxCadenceSpm)]),
    ...plain(TERMS.power, run.avgPowerWatts, ['W', most(run.maxPowerWatts)]),
    ...(run.maxSpeedMps === null || run.maxSpeedMps <= 0
      ? []
      : [{ name: 'Fastest pace', amount: pace(1000 / run.maxSpeedMps, units) }]),
    ...plain(TERMS.relativeEffort, run.relativeEffort, ['']).map((figure) => ({ ...figure, help: EFFORT_HELP })),
    ...plain(TERMS.calories, run.calories, ['kcal']),
  ]
}
