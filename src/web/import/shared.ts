import { api } from '../api.ts'
import type { Arrival } from '../types.ts'
import { toast } from '../ui/toast.tsx'
import { failedOutcome } from './outcomes.ts'
import { addOutcome } from './queue.ts'

const NAME = 'Shared with Harrier'
/** Results for a single shared file, which leads to its run. */
const SINGLE: Readonly<Record<string, string>> = {
  created: 'Run imported',
  updated: 'A run you have was completed',
  skipped: 'You have this run already',
}

/** Shows the result of files that a phone shared. @param query of the address that the service redirected to */
export async function tellShared(query: URLSearchParams): Promise<void> {
  const single = SINGLE[query.get('shared') ?? '']
  if (single !== undefined) return toast(single)
  if (query.get('shared') === 'refused') return addOutcome(NAME, failedOutcome(await refusal()))
}

/** Requests the reason from the service; it is not taken from the address, which anyone could craft. */
async function refusal(): Promise<string> {
  const { lastShare } = await api.get<{ lastShare: Arrival | null }>('/share')
  return lastShare?.error ?? 'Nothing of it was imported'
}
