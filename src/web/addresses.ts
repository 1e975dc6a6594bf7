/** Titles by address; `{id}` is one segment. The service answers other addresses with 404. */
export const TITLES = {
  '/app': 'Home',
  '/app/login': 'Home',
  '/app/runs': 'Runs',
  '/app/runs/{id}': 'Run',
  '/app/training': 'Training',
  '/app/bests': 'Bests',
  '/app/map': 'Map',
  '/app/statistics': 'Statistics',
  '/app/places': 'Places',
  '/app/shoes': 'Shoes',
  '/app/settings': 'Settings',
  '/app/settings/you': 'Settings',
  '/app/settings/runs-in': 'Settings',
  '/app/settings/data': 'Settings',
  '/app/settings/access': 'Settings',
  '/app/settings/about': 'Settings',
  '/app/history': 'History',
  '/app/receipts/{id}': 'History',
} as const

export type Address = keyof typeof TITLES

/** Addresses that one would guess, and where they lead. */
export const LEADS: ReadonlyMap<string, string> = new Map([
  ['/app/calendar', '/app/training?view=calendar'],
  ['/app/goals', '/app/training?view=goals'],
  ['/app/races', '/app/training?view=races'],
  ['/app/heatmap', '/app/map'],
  ['/app/trash', '/app/history?show=trash'],
])

const PATTERNS = (Object.keys(TITLES) as Address[]).map(
  (address) => [address, new RegExp(`^${address.replace('{id}', '([^/]+)')}$`)] as const,
)

/** The address that a path belongs to, with the id in it, or an empty one; null: none. */
export function addressOf(path: string): { readonly address: Address; readonly id: string } | null {
  for (const [address, pattern] of PATTERNS) {
    const match = pattern.exec(path)
    if (match !== null) return { address, id: match[1] ?? '' }
  }
  return null
}
