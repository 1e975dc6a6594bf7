import { toast } from '../ui/toast.tsx'

/** Saves a file of the service under its own name. @param missing error message when it does not exist */
export async function saveFile(path: string, missing: string): Promise<void> {
  const answer = await fetch(path, { credentials: 'same-origin' }).catch(() => null)
  if (answer === null) return toast('Can’t reach Harrier')
  if (answer.status === 404) return toast(missing)
  if (!answer.ok) {
    const { error } = (await answer.json().catch(() => ({}))) as { error?: string }
    return toast(error ?? `Couldn’t download the file (${answer.status})`)
  }
  saveBytes(await answer.blob(), answer.headers.get('content-disposition'))
}

/** Saves bytes as a download of the browser. @param disposition the header with the file name */
export function saveBytes(bytes: Blob, disposition: string | null): void {
  const address = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = address
  link.download = nameOf(disposition) ?? 'run'
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The name in UTF-8 (RFC 8187), else the plain one. */
function nameOf(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null
}
