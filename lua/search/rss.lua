-- rss: random state search: any pending branch, all alike.
return function(session)
	return session:search("random")
end
