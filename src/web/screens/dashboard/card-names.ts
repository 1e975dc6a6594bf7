import type { PageCard } from '../../../engine/limits.ts'

/** Names of the dashboard's cards, for the dialog that orders them. */
export const CARD_NAMES: Readonly<Record<PageCard, string>> = {
  latest: 'Latest run',
  today: 'Form today',
  week: 'This week',
  effort: 'Weekly effort',
  totals: 'Totals',
  days: 'Day by day',
  year: 'Year so far',
  runs: 'Latest runs',
  rolling: 'Weeks and months',
  habits: 'Streaks and habits',
  records: 'Best efforts',
  highlights: 'Highlights',
}
