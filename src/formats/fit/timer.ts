import { type FitTimeline, type SessionClock, unixS } from './clock.ts'
import type { FitPart } from './decode.ts'

const START = 0
/** event_type values that stop the timer: stop, stop_all, stop_disable, stop_disable_all. */
const STOPS: ReadonlySet<unknown> = new Set([1, 4, 8, 9])
/**
 * Events have whole seconds while the session's end has milliseconds: the final stop may lie up to this much before the
 * end.
 */
const EVENT_RESOLUTION_S = 1

/**
 * The intervals in which the timer was stopped, Unix milliseconds, in order, not overlapping. A start without a stop
 * and a second stop change nothing; a stop without a following start lasts until the session's end.
 * @param endS end of the session on its own clock, seconds since its start
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
  for (const { atS, isStart } of timerEvents(part, timeline)) {
    const sessionS = clock.sessionS(atS)
    if (!isStart && Number.isNaN(stoppedS)) stoppedS = sessionS
    if (isStart && !Number.isNaN(stoppedS)) close(sessionS)
  }
  if (endS - stoppedS >= EVENT_RESOLUTION_S) close(endS)
  return intervals
}

/** Starts and stops by mended Unix seconds; within one second in file order. */
function timerEvents(part: FitPart, timeline: FitTimeline): { atS: number; isStart: boolean }[] {
  const events = (part.messages.event ?? []).flatMap(({ timestamp, eventType, row }) => {
    const deviceS = unixS(timestamp)
    if (deviceS === null || (eventType !== START && !STOPS.has(eventType))) return []
    return [{ atS: deviceS + timeline.shiftS(deviceS, row), isStart: eventType === START }]
  })
  return events.sort((a, b) => a.atS - b.atS)
}
