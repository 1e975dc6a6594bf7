import { type FitTimeline, type SessionClock, unixS } from './clock.ts'
import type { FitPart } from './decode.ts'

const START = 0
/** event_type that Harrier writes where another part of a run begins. */
const MARKER = 3
/** event_type values that stop the timer: stop, stop_all, stop_disable, stop_disable_all. */
const STOPS: ReadonlySet<unknown> = new Set([1, 4, 8, 9])
/** Events have whole seconds: the final stop may be up to this much before the session's end, in milliseconds. */
const EVENT_RESOLUTION_S = 1

/**
 * The intervals in which the timer was stopped, Unix milliseconds, in order, not overlapping. A start without a stop
 * and a second stop change nothing; a stop without a start lasts until `endS`, the session's end on its own clock.
 */
export function timerOffMs(
  part: FitPart,
  timeline: FitTimeline,
  { clock, endS }: { clock: SessionClock; endS: number },
): (readonly [number, number])[] {
  const { startS } = clock
  const intervals: (readonly [number, number])[] = []
  let stoppedS = Number.NaN
  const close = (resumedS: number) => {
    const from = Math.max(0, stoppedS)
    const to = Math.min(endS, resumedS)
    if (to > from) intervals.push([Math.round((startS + from) * 1000), Math.round((startS + to) * 1000)])
    stoppedS = Number.NaN
  }
  for (const { atS, eventType } of timedEvents(part, timeline)) {
    const sessionS = clock.sessionS(atS)
    if (STOPS.has(eventType) && Number.isNaN(stoppedS)) stoppedS = sessionS
    if (eventType === START && !Number.isNaN(stoppedS)) close(sessionS)
  }
  if (endS - stoppedS >= EVENT_RESOLUTION_S) close(endS)
  return intervals
}

/** Where another part of the run begins, Unix milliseconds, in order. */
export function seamsMs(part: FitPart, timeline: FitTimeline, clock: SessionClock): number[] {
  return timedEvents(part, timeline)
    .filter(({ eventType }) => eventType === MARKER)
    .map(({ atS }) => Math.round((clock.startS + clock.sessionS(atS)) * 1000))
}

/** Events of the timer by fixed Unix seconds; within one second in file order. */
function timedEvents(part: FitPart, timeline: FitTimeline) {
  const events = (part.messages.event ?? []).flatMap(({ timestamp, eventType, row }) => {
    const deviceS = unixS(timestamp)
    return deviceS === null ? [] : [{ atS: deviceS + timeline.shiftS(deviceS, row), eventType }]
  })
  return events.sort((a, b) => a.atS - b.atS)
}
