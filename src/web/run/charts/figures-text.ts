import { distance, duration, pace, text, type Units } from '../../format.ts'
import { metricQuantity } from './metrics.ts'
import type { SectionFigures } from './series.ts'

/** The numbers of a stretch as text: `1.00 km · 5:02 · 5:02/km · 148 bpm`. */
export function figuresText({ metres, seconds, paceS, heartRateBpm }: SectionFigures, units: Units): string {
  return [
    ...(metres === null ? [] : [text(distance(metres, units))]),
    duration(seconds),
    ...(paceS === null ? [] : [text(pace(paceS, units))]),
    ...(heartRateBpm === null ? [] : [text(metricQuantity('heartRate', heartRateBpm, units))]),
  ].join('  ·  ')
}
