import { toast } from '../ui/toast.tsx'

/** Saves the file a run was imported from under its own name; a run without one says so. */
export async function saveOriginal(runId: string): Promise<void> {
  const answer = await fetch(`/workouts/${runId}/file`, { credentials: 'same-origin' }).catch(() => null)
  if (answer === null) return toast('Harrier cannot be reached')
  if (answer.status === 404) return toast('This run has no original file')
  if (!answer.ok) return toast(`The file could not be loaded (${answer.status})`)
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = nameOf(answer.headers.get('content-disposition')) ?? 'run'
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The name in UTF-8 (RFC 8187). */
function nameOf(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  return encoded === undefined ? null : decodeURIComponent(encoded)
}
