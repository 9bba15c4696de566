print("laurel")
