import { api } from '../api.ts'
import { failedOutcome } from './outcomes.ts'
import { addOutcome } from './queue.ts'

const NAME = 'Shared with Harrier'

/**
 * Shows why nothing was imported of files that a phone shared; otherwise the service has led to the receipt.
 * @param query of the address that the service redirected to
 */
export async function showShared(query: URLSearchParams): Promise<void> {
  if (query.get('shared') === 'refused') addOutcome(NAME, failedOutcome(await refusal()))
}

/** Requests the reason from the service; it is not taken from the address, which anyone could craft. */
async function refusal(): Promise<string> {
  const { lastShare } = await api.get('/share')
  return lastShare?.error ?? 'Nothing was imported'
}
