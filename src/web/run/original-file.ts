import { toast } from '../ui/toast.tsx'

/** Saves a file of the service under its own name; `missing` is what is said when there is none. */
export async function saveFile(path: string, missing: string): Promise<void> {
  const answer = await fetch(path, { credentials: 'same-origin' }).catch(() => null)
  if (answer === null) return toast('Harrier cannot be reached')
  if (answer.status === 404) return toast(missing)
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
