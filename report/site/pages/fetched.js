// Fetch a file of this site, named as messages name it. Rejects if the site does not have it.
export async function fetched(name, url) {
  const response = await fetch(url);
  if (!response.ok) throw missing(name, response);
  return response;
}

// Rejects if this site does not have a file that a library would wait for without end.
export async function checkThere(name, url) {
  const response = await fetch(url, { method: "HEAD" });
  const isRefused = response.status === 405 || response.status === 501; // of all HEAD requests
  if (!response.ok && !isRefused) throw missing(name, response);
}

function missing(name, { status }) {
  return new Error(`${name}: this site has no such file (${status}).`);
}
