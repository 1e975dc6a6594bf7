import { Type } from '@sinclair/typebox'
import { MAX_OFFSET_MINUTES } from '../engine/calendar/weeks.ts'
import { CalendarDate, integer, nullable } from '../http/schemas.ts'

/** Longest window of days that is answered at once: three years. */
export const MAX_DAYS = 1100

export const DailyQuery = Type.Object({
  timezoneOffsetMinutes: Type.Optional(
    integer({
      minimum: -MAX_OFFSET_MINUTES,
      maximum: MAX_OFFSET_MINUTES,
      description: 'Minutes to add to UTC to get local time; 0 when absent',
    }),
  ),
  from: Type.Optional(
    Type.String({ format: 'date', description: 'First local day of the window; 366 days before `to` when absent' }),
  ),
  to: Type.Optional(
    Type.String({
      format: 'date',
      description: `The local day after the window's last one, at most ${MAX_DAYS} days after \`from\`; tomorrow when absent`,
    }),
  ),
})

export const DailyStats = Type.Object({
  from: CalendarDate,
  to: CalendarDate,
  days: Type.Array(
    Type.Object({
      date: CalendarDate,
      distanceM: Type.Number(),
      durationS: Type.Number(),
      runs: integer({ minimum: 1 }),
      relativeEffort: nullable(integer({ description: 'Null when none of the runs has one' })),
    }),
    { description: 'Only days with runs, oldest first' },
  ),
})
