/** Stylesheets of parts that were asked for, by the name of the part. */
const asked = new Map<string, Promise<void>>()

/**
 * A part of the page with its styles, which the build keeps out of the first load; never one without the other.
 * @param name the name of its file without the extension, by which the document knows the stylesheet
 * @param code imports the file
 * @throws Error when one of both could not be fetched
 */
export async function fetchPart<T>(name: string, code: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([code(), stylesOf(name)])
  return part
}

function stylesOf(name: string): Promise<void> {
  const known = asked.get(name)
  if (known !== undefined) return known
  const styles = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = document.querySelector<HTMLMetaElement>(`meta[name="styles-of-${name}"]`)?.content ?? ''
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      asked.delete(name)
      reject(new Error(`The styles of ${name} could not be fetched`))
    }
    document.head.append(link)
  })
  asked.set(name, styles)
  return styles
}
