// Fetch a file of this site, named as messages name it. Rejects if the site does not have it.
export async function fetched(name, url, options = {}) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${name}: this site has no such file (${response.status}).`);
  return response;
}
