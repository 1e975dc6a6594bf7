import { MonthCard } from './calendar/month-card.tsx'
import { CalendarCard } from './goals/calendar-card.tsx'
import './goals/goals.css'
import './calendar/calendar.css'

/** A month of runs, and the days of a year. */
export function CalendarView() {
  return (
    <>
      <MonthCard />
      <CalendarCard />
    </>
  )
}
