/** OneBot counts with numbers; what is none, or too long for one, stays a text. */
export const numberOf = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : id)
