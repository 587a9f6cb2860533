/** A script that disables dialogs, which would stop a page until they are answered. */
const NO_DIALOGS = 'alert = print = () => {}; confirm = () => false; prompt = () => null'
/**
 * A script that makes steps back or forward harmless that would leave the document, such as back to about:blank. A step
 * leads to an entry of the history: two steps at once would go further than one.
 */
const NO_LEAVING = `{
  const { go } = History.prototype
  const step = function (delta) {
    if (!delta) return go.call(this, delta)
    const entry = navigation.entries()[navigation.currentEntry?.index + Number(delta)]
    if (entry) for (const end of Object.values(navigation.traverseTo(entry.key))) end.catch(() => {})
  }
  Object.assign(History.prototype, {
    go(delta) { step.call(this, delta) },
    back() { step.call(this, -1) },
    forward() { step.call(this, 1) },
  })
}`

/** A script that lets registrations of service workers fail, since none starts: a page may wait for them. */
const NO_SERVICE_WORKERS = `if (self.ServiceWorkerContainer) {
  ServiceWorkerContainer.prototype.register = () =>
    Promise.reject(new DOMException('Service workers are disabled.', 'SecurityError'))
}`

/** The script that runs in each document before its own scripts. */
export const NEW_DOCUMENT = `${NO_DIALOGS}\n${NO_LEAVING}\n${NO_SERVICE_WORKERS}`
