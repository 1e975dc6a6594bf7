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
 * The times at which the timer was stopped, Unix seconds of the timeline, in order, not overlapping, and its last stop. A
 * start without a stop and a second stop change nothing; a stop without a start lasts on.
 * @param latest the last of several stops counts instead of the first
 */
export function timerOffs(part: FitPart, timeline: FitTimeline, latest = false) {
  const offs: (readonly [number, number])[] = []
  let stoppedS = Number.NaN
  for (const { atS, eventType } of timedEvents(part, timeline)) {
    if (STOPS.has(eventType) && (latest || Number.isNaN(stoppedS))) stoppedS = atS
    if (eventType !== START || Number.isNaN(stoppedS)) continue
    if (atS > stoppedS) offs.push([stoppedS, atS])
    stoppedS = Number.NaN
  }
  return { offs, stoppedS }
}

/** The same within a session, Unix milliseconds of its clock. @param endS its end on that clock */
export function timerOffMs(
  { offs, stoppedS }: ReturnType<typeof timerOffs>,
  { startS, sessionS }: SessionClock,
  endS: number,
): (readonly [number, number])[] {
  const spans = offs.map(([from, to]) => [sessionS(from), sessionS(to)] as const)
  const lastS = sessionS(stoppedS)
  if (endS - lastS >= EVENT_RESOLUTION_S) spans.push([lastS, endS])
  return spans
    .map(([from, to]) => [Math.max(0, from), Math.min(endS, to)] as const)
    .filter(([from, to]) => to > from)
    .map(([from, to]) => [Math.round((startS + from) * 1000), Math.round((startS + to) * 1000)])
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
