/** Requested stylesheets, by name of the part. */
const asked = new Map<string, Promise<void>>()

/**
 * Loads a part of the page together with its styles, which the build keeps out of the first load.
 * @param name file name without the extension, which also identifies the stylesheet in the document
 * @param code imports the file
 * @throws Error when one of both could not be loaded
 */
export async function fetchPart<T>(name: string, code: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([code(), stylesOf(name)])
  return part
}

function stylesOf(name: string): Promise<void> {
  const known = asked.get(name)
  if (known !== undefined) return known
  const address = document.querySelector<HTMLMetaElement>(`meta[name="styles-of-${name}"]`)?.content
  // its styles were part of the first load
  if (address === undefined) return Promise.resolve()
  const styles = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      asked.delete(name)
      reject(new Error(`Couldn’t load the styles of ${name}`))
    }
    document.head.append(link)
  })
  asked.set(name, styles)
  return styles
}
